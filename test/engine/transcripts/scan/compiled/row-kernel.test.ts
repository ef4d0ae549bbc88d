import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  declined,
  joined,
  kernelIfPossible,
  unwanted,
  whole,
} from "../../../../../src/engine/transcripts/scan/compiled/row-kernel.ts";
import { mayBeWanted } from "../../../../../src/engine/transcripts/scan/line-sniff.ts";
import { compileKernel, kernelFile } from "../../../../../scripts/kernel/compile.ts";
import { inMessage, inRow } from "../../../../../src/engine/transcripts/scan/row-shape.ts";
import { assistantLine, sampleLines } from "../sample-lines.ts";
import { assertAgrees, kernel, kernelReader, outcomeOf } from "./agreement.ts";

/** The parts of a text that two spaces separate. */
const listed = (text: string) => text.trim().split(/ *\n *| {2,}/u);
const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const counts = ["0", "10", "123456789012345"];
const otherNumbers = listed("-0  -1  1.5  0.5  1e3  1E3  1e+3  1.5e-30  1234567890123456  9007199254740993");
const validValues = [
  ...listed(String.raw`
    null  true  false  ""  "\u00aF\u0bC9\/\b\f\n\r\t\"\\"  "ü"  [0,"]}"]
    {}  []  [[],{}]  {"a":{}}  {"a":[{}]}  [1,"a",{"b":[],"c":null}]`),
  '"\u007f\u2028"',
  deep("[", "]", 65),
  deep('{"a":[', "]}", 32),
];
const invalidValues = [
  ...listed(String.raw`
    01  -  -01  +1  1.  .5  1e  1e+  1.e3  1.5.5  0x1  1:  1/  tru  truE  nul  falsy  1,
    "  "a  "a";  'a'  "\"  [1,]  [,1]  [1 2]  [1}  [}  {]  [[1}]  [  {"a":1]  ["a""b"]  ["a\,"b"]
    {"a"}  {"a":}  {"a",1}  {"a":1,}  {"a":1,"b"}  {"a":1"b":2}  {"a":1;"b":2}  {"a" 1}  {a:1}  {1:1}`),
  "",
  " 1",
  "1 ",
  '"a\tb"',
  '"a\u001Fb"',
  '"a\u0001',
  deep("[", "]", 67),
];

describe("compiled reader of rows", () => {
  it("is the compiled form of its source", async () => {
    assert.equal(readFileSync(kernelFile, "utf8"), await compileKernel(), "run `npm run generate -- kernel`");
  });

  it("has room for every value of a row", () => {
    const { states, escapes } = kernel.values;
    assert.ok(states.byteOffset + states.length <= escapes.byteOffset);
  });

  it("agrees on every part of a row", () => {
    for (const line of sampleLines) {
      for (let end = 0; end <= line.length; end += 1) {
        assertAgrees(line.slice(0, end));
        assertAgrees(line.slice(end));
      }
    }
  });

  it("declines no row that agents write", () => {
    for (const line of sampleLines) {
      assert.equal(outcomeOf(line), mayBeWanted(Buffer.from(line), 0, line.length) ? whole : unwanted, line);
    }
    const windows = assistantLine.replace("/home/crew/argo", String.raw`C:\\crew\\\u0061rgo`);
    assert.equal(outcomeOf(windows), whole);
    assertAgrees(windows);
    const betas = '{"type":"api-request","params":{"betas":["a-1","context-1m-2025-08-07"],"model":"m"}}';
    assert.equal(outcomeOf(betas), whole);
    kernelReader.judge(Buffer.from(betas), 0, betas.length);
    assert.ok(kernelReader.isLongContext);
  });

  it("skips rows by the first text that decides their kind", () => {
    assert.equal(outcomeOf('{"type":"user","message":{"id":"a"'), unwanted);
    assert.equal(outcomeOf('{"attachment":{"type":"file","content":{'), unwanted);
    for (const type of ["assistants", "assistan", "xssistant", "Assistant", ""])
      assert.equal(outcomeOf(`{"type":"${type}","message":{`), unwanted, type);
    assert.equal(outcomeOf('{"type":"assistant","attachment":{"type":"file"}}'), whole);
    assert.equal(outcomeOf('{"type":"assistant","type":"user"}'), whole);
    assert.equal(outcomeOf(String.raw`{"type":"us\u0065r"}`), declined);
    assert.equal(outcomeOf('{"message":{"type":"user"},"type":"assistant"}'), whole);
    assert.equal(
      outcomeOf(String.raw`{"cwd":"C:\\argo","uuid":"\"","at":-1.5E3,"type":"user","message":{`),
      unwanted,
    );
    assert.equal(outcomeOf(`{${'"a":null,'.repeat(50)}"type":"user","message":{`), unwanted);
  });

  it("finds the mark of a response's record behind the start of another row, wherever it is", () => {
    const mark = '"type":"assistant"';
    const near = [
      '"type":"assistants"',
      '"type": "assistant"',
      String.raw`\"type\":\"assistant\"`,
      ': a: a:"a',
    ];
    for (let length = 0; length < 100; length += 1) {
      const start = `{"type":"user","text":"${"x".repeat(length)}`;
      assert.equal(outcomeOf(`${start}{${mark}`, length), joined);
      assert.equal(outcomeOf(`${start}${mark.slice(1)}${mark}}`, length), joined);
      for (const other of [...near, mark.slice(0, -1)])
        assert.equal(outcomeOf(start + other, length), unwanted);
    }
    assert.equal(outcomeOf('{"attachment":{"type":"file"}},{"type":"assistant"}'), joined);
  });

  it("finds that mark in a part of a line, and not beyond its end", () => {
    const text = `${"x".repeat(50)}"type":"assistant"`;
    const { input } = kernel;
    for (const at of [0, 7, input.length - text.length]) {
      input.fill("x");
      input.write(text, at);
      const end = at + text.length;
      assert.equal(kernel.holdsRecord(input, at, end), true);
      assert.equal(kernel.holdsRecord(input, at, end - 18), false);
      assert.equal(kernel.holdsRecord(input, end - 17, end), false);
    }
    assert.equal(kernel.holdsRecord(Buffer.from(text), 0, text.length), null);
  });

  it("marks a usage that may have more than counts", () => {
    const { values } = kernel;
    const hasMore = (more: string) => {
      const row = `{"type":"assistant","message":{"id":"a","usage":{"input_tokens":1${more}}}}`;
      assert.equal(outcomeOf(row), whole, row);
      return values.has(inRow.message + inMessage.more);
    };
    for (const more of listed(String.raw`
      ,"speed":"standard"  ,"speed":null  ,"service_tier":"standard"  ,"inference_geo":""  ,"inference_geo":"eu"
      ,"iterations":[]  ,"iterations":null  ,"iterations":[{"type":"message","input_tokens":1}]
      ,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0}  ,"server_tool_use":null  ,"requests":0
      ,"cache_creation":{"ephemeral_5m_input_tokens":1}  ,"output_tokens_details":{"thinking_tokens":7}`))
      assert.ok(!hasMore(more), more);
    for (const more of listed(String.raw`
      ,"speed":"fast"  ,"speed":"fast"  ,"service_tier":"batch"  ,"service_tier":"priority"
      ,"inference_geo":"us"  ,"inference_geo":"US"  ,"a":{"b":["us"]}
      ,"iterations":[{"type":"compaction"}]  ,"iterations":[{"type":"advisor_message"}]
      ,"iterations":[{"model":"m"}]  ,"iterations":[{},{}]  ,"iterations":[{"a":1},{}]  ,"iterations":[[],{"a":1}]
      ,"server_tool_use":{"web_search_requests":1}  ,"server_tool_use":{"x_requests":0.5}
      ,"server_tool_use":{"x_requests":[]}`))
      assert.ok(hasMore(more), more);
    assert.ok(!hasMore(""), "nothing is left of the row before");
  });

  it("reads a row to its end if a nested value precedes its type", () => {
    for (const before of [
      '"message":{"role":"user"}',
      '"message":{}',
      '"uuids":[]',
      '"uuids":[1]',
      '"origin":{}',
      '"params":{"betas":[]}',
      '"betas":{"params":[]}',
      '"attachment":{}',
      '"attachment":{"text":"x"}',
    ]) {
      const line = `{"uuid":"u",${before},"type":"user"`;
      assert.equal(outcomeOf(line), declined, line);
      assert.equal(outcomeOf(`${line}}`), whole, line);
      assertAgrees(`${line}}`);
    }
    assert.equal(outcomeOf('{"attachment":{"text":"x","type":"file"},"type":"assistant"}'), whole);
    assert.equal(outcomeOf('{"attachment":{"identity":{},"type":"file"},"type":"assistant"}'), whole);
  });

  it("reads any valid value, and declines every other, wherever it is", () => {
    const row = (place: string, value: string) =>
      '{"type":"assistant","params":{"betas":["b","c",0]},"message":{"id":"a","usage":{"output_tokens":1}}}'.replace(
        place,
        value,
      );
    for (const place of ['"a"', "1", '["b","c",0]', '"c"']) {
      for (const value of [...validValues, ...(place === "1" ? counts : [...counts, ...otherNumbers])]) {
        // An escaped text in a list may be the searched text.
        const expected = place === '"c"' && value.startsWith('"\\') ? declined : whole;
        assert.equal(outcomeOf(row(place, value)), expected, `${place} ${value}`);
        assertAgrees(row(place, value));
      }
      for (const value of invalidValues)
        assert.equal(outcomeOf(row(place, value)), declined, `${place} ${value}`);
    }
    for (const count of otherNumbers) assert.equal(outcomeOf(row("1", count)), declined, count);
    for (const text of listed(String.raw`"\x"  "\v"  "\u000g"  "\u00g0"  "\u00"`))
      assert.equal(outcomeOf(row('"a"', text)), declined, text);
  });

  it("declines anything but an object, and nothing else", () => {
    for (const line of listed(
      String.raw`[]  {  {,}  {"a":1,}  {"type","assistant"}  {"type" :1}  {"type":1;}`,
    ))
      assert.equal(outcomeOf(line), declined, line);
    assert.equal(outcomeOf(""), declined);
    assert.equal(outcomeOf(` ${assistantLine}`), declined);
    assert.equal(outcomeOf(assistantLine.slice(0, -1)), declined);
    for (const ending of [" ", "\r", "}", ",", "x", "{}"])
      assert.equal(outcomeOf(assistantLine + ending), declined, ending);
  });

  it("reads only lines in its input that end with a line feed", () => {
    const line = Buffer.from(`${assistantLine}\n`);
    assert.equal(kernel.read(line, 0, line.length - 1), declined);
    line.copy(kernel.input);
    assert.equal(kernel.read(kernel.input, 0, line.length - 1), whole);
    kernel.input[line.length - 1] = 0x20;
    assert.equal(kernel.read(kernel.input, 0, line.length - 1), declined);
    line.copy(kernel.input, kernel.input.length - line.length + 1);
    assert.equal(
      kernel.read(kernel.input, kernel.input.length - line.length + 1, kernel.input.length),
      declined,
    );
  });

  it("carries nothing over from one row to the next", () => {
    outcomeOf(assistantLine);
    assert.equal(outcomeOf('{"type":"assistant"}'), whole);
    assert.equal(kernelReader.judge(kernel.input, 0, 0), "malformed");
    assert.ok(!kernelReader.values.has(kernelReader.sessionId));
  });

  it("is not deceived by rows made to look like others", () => {
    const usage = '"usage":{"input_tokens":1,"output_tokens":5}';
    const row = (id: string, content: string, rest = "") =>
      `{"type":"assistant","message":{"id":"${id}","content":${content},${usage}}${rest}}`;
    const nested = '[{"type":"tool_use","input":{"usage":{"output_tokens":99},"message":{"id":"inner"}}}]';
    const lines = [
      row("c", nested),
      row("d", JSON.stringify(row("e", nested))),
      row("e", String.raw`"\\\",\"usage\":{\"output_tokens\":99}"`),
      row(String.raw`f\",\"id\":\"g`, "null"),
      // The second of two members counts.
      row('h","id":"i', "1"),
      row("j", `1,${usage.replace("5", "8")}`),
      row("k", "1", `,"toolUseResult":{${usage}}`),
      row("l", "1", ',"message":null'),
      row("v", `"${"x".repeat(10_000)}"`),
    ];
    for (const line of lines) {
      assert.equal(outcomeOf(line), whole, line);
      assertAgrees(line);
    }
  });

  it("is null when there is no room for it", () => {
    assert.equal(kernelIfPossible(2 ** 33), null);
    assert.ok(kernelIfPossible(1 << 12));
  });

  it("is null where the processor lacks its instructions", (t) => {
    // Only a function that is no arrow can be called with `new`.
    t.mock.method(WebAssembly, "Module", function fail() {
      throw new WebAssembly.CompileError();
    });
    assert.equal(kernelIfPossible(1 << 12), null);
  });
});
