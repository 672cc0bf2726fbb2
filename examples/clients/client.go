// A client of `hlokit serve`, without dependencies: requests and answers are lines of JSON (docs/service.md).
//
//	go run client.go
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
)

// Client talks to one process, one request at a time.
type Client struct {
	process *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
	last    int
}

type request struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Object is a JSON object.
type Object = map[string]any

// NewClient starts a process.
func NewClient() (*Client, error) {
	process := exec.Command("hlokit", "serve")
	process.Stderr = os.Stderr
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Client{process, input, bufio.NewReader(output), 0}, process.Start()
}

// Call stores the result of a method in result.
func (c *Client) Call(method string, params any, result any) error {
	c.last++
	if err := json.NewEncoder(c.input).Encode(request{c.last, method, params}); err != nil {
		return err
	}
	line, err := c.output.ReadBytes('\n')
	if err != nil {
		return err
	}
	var found answer
	if err := json.Unmarshal(line, &found); err != nil {
		return err
	}
	if found.Error != nil {
		return errors.New(found.Error.Message)
	}
	return json.Unmarshal(found.Result, result)
}

// Close ends the process.
func (c *Client) Close() error {
	c.input.Close()
	return c.process.Wait()
}

func main() {
	client, err := NewClient()
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	var inferred struct{ Types []string }
	transpose := Object{"op": "transpose", "operands": []string{"tensor<2x?xf32>"}, "attributes": Object{"permutation": []int{1, 0}}}
	if err := client.Call("infer", transpose, &inferred); err != nil {
		log.Fatal(err)
	}
	fmt.Println(inferred.Types[0])
	fmt.Println(client.Call("infer", Object{"op": "add", "operands": []string{"tensor<2xf32>"}}, &inferred))
}
