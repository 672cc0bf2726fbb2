// A client of `hlokit serve`, without dependencies: requests and answers are lines of JSON (docs/service.md).
//
//   node --experimental-strip-types client.ts      (Node 22.6 or later; or compile it with tsc)
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Answer = { id: number; result?: any; error?: { message: string; diagnostics: any[] } };
type Waiting = { resolve: (result: any) => void; reject: (error: Error) => void };

export class Client {
  private process = spawn("hlokit", ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
  private waiting = new Map<number, Waiting>();
  private last = 0;

  constructor() {
    createInterface({ input: this.process.stdout }).on("line", (line) => this.receive(JSON.parse(line)));
    this.process.on("error", (error) => this.fail(error));
    this.process.on("close", () => this.fail(new Error("hlokit serve has ended")));
  }

  /** The result of a method; rejected with the message of an error. Several may wait at a time. */
  call(method: string, params: { [key: string]: Json } = {}): Promise<any> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.process.stdin.write(JSON.stringify({ id, method, params }) + "\n");
    });
  }

  /** Types of the results of an operation. */
  async infer(op: string, operands: string[], attributes: { [key: string]: Json } = {}): Promise<string[]> {
    return (await this.call("infer", { op, operands, attributes })).types;
  }

  close(): void {
    this.process.stdin.end();
  }

  private receive(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.error) waiting?.reject(new Error(answer.error.message));
    else waiting?.resolve(answer.result);
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

const client = new Client();
console.log((await client.infer("transpose", ["tensor<2x?xf32>"], { permutation: [1, 0] })).join(", "));
await client.infer("add", ["tensor<2xf32>"]).catch((error) => console.log(error.message));
const built = await client.call("build", {
  inputs: { x: "tensor<2xf32>" },
  operations: [{ name: "y", op: "add", operands: ["x", "x"] }],
  outputs: ["y"],
});
const run = await client.call("evaluate", { text: built.text, arguments: [[1, 2]] });
console.log(JSON.stringify(run.results[0].value));
client.close();
