import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { usageReader } from "../../../../src/engine/transcripts/vscode-chat/usage-reader.ts";
import { CopilotLog } from "./copilot-log-lines.ts";
import { FollowedChats } from "./followed-chats.ts";
import { start, WrittenChat } from "./written-chat.ts";

const [one, two] = ["7d1f0000-0000-4000-8000-000000000001", "7d1f0000-0000-4000-8000-000000000002"];

describe("usage of VS Code's chats", () => {
  it("has the requests that the chat's file records completely, and no others", (test) => {
    const followed = new FollowedChats(test);
    const chat = new WrittenChat(followed.chat(one));
    chat.send({ id: "asked", at: 0 }).report("asked", 1000, 10).end("asked", 2000);
    chat.send({ id: "tools", at: 3000 }).report("tools", 2000, 20).useTool("tools").report("tools", 3000, 50);
    chat.end("tools", 6000).send({ id: "silent", at: 7000 }).end("silent", 8000);
    chat.send({ id: "running", at: 9000 }).report("running", 4000, 5).flush(10_000);
    const read = usageReader.readUsage([followed.root]);
    assert.deepEqual(
      read.records.map(({ key, at, model, cwd, usage, raw }) => ({ key, at, model, cwd, usage, raw })),
      [
        {
          key: `vscode-chat ${one} asked`,
          at: start + 2000,
          model: "test/one",
          cwd: followed.folder,
          usage: { input: 1000, output: 10, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
          raw: { promptTokens: 1000, completionTokens: 10 },
        },
      ],
    );
    assert.equal(read.files, 1);
    assert.deepEqual(read.problems, []);
    chat.end("running", 11_000).flush(12_000);
    assert.equal(usageReader.readUsage([followed.root]).records.length, 2);
  });

  it("has each call of Copilot's log, and then nothing from the chat's own file", (test) => {
    const followed = new FollowedChats(test);
    const chat = new WrittenChat(followed.chat(one));
    chat.send({ id: "r1", at: 100 }).report("r1", 2000, 20).end("r1", 3000).flush(5000);
    const logs = followed.storage("GitHub.copilot-chat", "debug-logs", one);
    const log = new CopilotLog(logs);
    log.begin(50).call({ span: "a", at: 200, input: 2000, output: 20, cached: 1500 }).flush(4000);
    new CopilotLog(logs, "runSubagent-x")
      .begin(60)
      .call({ span: "b", at: 300, input: 5, output: 1 })
      .flush(4000);
    const { records } = usageReader.readUsage([followed.root]);
    assert.deepEqual(
      records.map(({ key, usage: { input, output, cacheRead } }) => [key, input, output, cacheRead]),
      [
        [`vscode-chat ${one} a`, 500, 20, 1500],
        [`vscode-chat ${one} b`, 5, 1, 0],
      ],
    );
  });

  it("is the same for the ledger, which continues reading as files grow", (test) => {
    const followed = new FollowedChats(test);
    const chat = new WrittenChat(followed.chat(one));
    chat.send({ id: "r1" }).report("r1", 1000, 10).end("r1", 2000).flush(5000);
    const old = new WrittenChat(followed.chat(two));
    old
      .send({ id: "r1", more: { result: { usage: { promptTokens: 7, completionTokens: 3 } } } })
      .end("r1", 1000);
    old.writeOld(5000);
    const find = usageReader.finder([followed.root]);
    const found = find();
    assert.deepEqual(found.areas, [followed.root]);
    const keys = found.files.flatMap(({ whole }) => {
      const read = whole?.read();
      return read?.ok === true && "records" in read.value ? read.value.records.map(({ id }) => id) : [];
    });
    assert.deepEqual(keys, [`vscode-chat ${two} r1`]);
    const lines = found.files.find((file) => file.lines !== null)?.lines();
    assert.ok(lines);
    const written = [
      { kind: 0, v: { requests: [] } },
      { kind: 2, k: ["requests"], v: [{ requestId: "r9", promptTokens: 5, completionTokens: 1 }] },
    ];
    for (const entry of written) lines.line(Buffer.from(JSON.stringify(entry)));
    assert.deepEqual(lines.session().records, []);
    lines.line(Buffer.from('{"kind":1,"k":["requests",0,"modelState"],"v":{"value":1}}'));
    assert.deepEqual(
      lines.session().records.map(({ id }) => id),
      [`vscode-chat ${one} r9`],
    );
  });

  it("knows the folder of a window with several folders, of one that only purser names, and of one without", (test) => {
    const followed = new FollowedChats(test);
    const send = (file: string) =>
      new WrittenChat(file).send({ id: "r" }).report("r", 9, 1).end("r", 9).flush(10);
    const storage = (id: string) => path.join(followed.root, "workspaceStorage", id);
    const write = (file: string, content: unknown) => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    };
    const workspace = path.join(followed.root, "two.code-workspace");
    write(
      workspace,
      '{ // of two\n "folders": [{ "uri": "vscode-remote://ssh/x" }, { "path": "second" },], }',
    );
    const cases: [string, (holder: string) => void, string | null][] = [
      [
        "several",
        (holder) => write(path.join(holder, "workspace.json"), { workspace: `file://${workspace}` }),
        path.join(followed.root, "second"),
      ],
      [
        "server",
        (holder) =>
          write(path.join(holder, "context-purser.context-purser", "chat.json"), {
            folder: "/srv/x",
            models: {},
          }),
        "/srv/x",
      ],
      [
        "remote",
        (holder) =>
          write(path.join(holder, "workspace.json"), { folder: "vscode-remote://ssh-remote+host/x" }),
        null,
      ],
      ["odd", (holder) => write(path.join(holder, "workspace.json"), { folder: "file://%" }), null],
      ["none", () => undefined, null],
    ];
    for (const [name, prepare] of cases) {
      prepare(storage(name));
      send(path.join(storage(name), "chatSessions", `${name}.jsonl`));
    }
    send(path.join(followed.root, "globalStorage", "emptyWindowChatSessions", "empty.jsonl"));
    const { records } = usageReader.readUsage([followed.root]);
    const folders = new Map(records.map(({ sessionId, cwd }) => [sessionId, cwd]));
    for (const [name, , folder] of cases) assert.equal(folders.get(name), folder, name);
    assert.equal(folders.get("empty"), null);
  });
});
