//! A client of `hlokit serve`: requests and answers are lines of JSON (docs/service.md).
//!
//! It has no dependencies, so it takes requests as text and looks for one field of an answer at a time; with
//! serde_json both would be values.
//!
//!     cargo run

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    /// Start a process.
    pub fn new() -> io::Result<Client> {
        let mut process = Command::new("hlokit")
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Ok(Client { process, input, output, last: 0 })
    }

    /// The answer to a request, as one line of JSON; `params` is a JSON object.
    pub fn call(&mut self, method: &str, params: &str) -> io::Result<String> {
        self.last += 1;
        let input = self.input.as_mut().expect("open until the client is dropped");
        writeln!(input, r#"{{"id": {}, "method": "{}", "params": {}}}"#, self.last, method, params)?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "hlokit serve has ended"));
        }
        Ok(line)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None; // the process ends with its requests
        let _ = self.process.wait();
    }
}

/// All strings in the array that is the value of a key, or the string that is, without escapes.
fn strings(answer: &str, key: &str) -> Vec<String> {
    let Some((_, rest)) = answer.split_once(&format!("\"{key}\":")) else {
        return Vec::new();
    };
    let end = if rest.starts_with('[') { rest.find(']') } else { rest[1..].find('"').map(|i| i + 2) };
    let value = &rest[..end.unwrap_or(rest.len())];
    value.split('"').skip(1).step_by(2).map(String::from).collect()
}

fn main() -> io::Result<()> {
    let mut client = Client::new()?;
    let transpose = r#"{"op": "transpose", "operands": ["tensor<2x?xf32>"], "attributes": {"permutation": [1, 0]}}"#;
    println!("{}", strings(&client.call("infer", transpose)?, "types").join(", "));
    let add = r#"{"op": "add", "operands": ["tensor<2xf32>"]}"#;
    println!("{}", strings(&client.call("infer", add)?, "message").join(", "));
    Ok(())
}
