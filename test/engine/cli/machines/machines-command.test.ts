import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { addressIn, transportOf } from "../../../../src/engine/cli/machines/transport.ts";
import { usageJson } from "../../../../src/engine/cli/usage/usage-schema.ts";
import { makeLedgerSetup } from "../support/ledger-place.ts";
import { responseRow } from "../support/support.ts";

const usual = { command: ["purser"], titles: false, paths: false };

describe("the address of a machine", () => {
  it("is a word that no program takes for an option or a command", () => {
    for (const good of [
      "ssh://host",
      "ssh://me@host.example:2222",
      "ssh://[::1]:22",
      "wsl://Ubuntu-24.04",
      "docker://box_1",
    ])
      assert.equal(addressIn(good, "/").ok, true, good);
    for (const bad of [
      "ssh://-oProxyCommand=x",
      "ssh://me@-host",
      "ssh://host;id",
      "ssh://host name",
      "ssh://",
      "wsl://-e",
      "docker://--privileged",
      "docker://a/b",
      "ftp://host",
    ])
      assert.equal(addressIn(bad, "/").ok, false, bad);
    const folder = addressIn("shared", "/home/me");
    assert.deepEqual(folder.ok && folder.value, path.resolve("/home/me/shared"));
  });

  it("becomes arguments, never a line for a shell here", () => {
    assert.deepEqual(
      transportOf({ ...usual, address: "ssh://me@host:2222", command: ["/opt/my purser", "a'b"] }, "x.1"),
      {
        program: "ssh",
        args: [
          "-T",
          "-o",
          "BatchMode=yes",
          "-o",
          "ConnectTimeout=15",
          "-p",
          "2222",
          "--",
          "me@host",
          "'/opt/my purser' 'a'\\''b' ledger export --format ndjson --since x.1",
        ],
      },
    );
    assert.deepEqual(transportOf({ ...usual, address: "docker://box", titles: true, paths: true }, null), {
      program: "docker",
      args: ["exec", "box", "purser", "ledger", "export", "--format", "ndjson", "--titles", "--paths"],
    });
    assert.deepEqual(transportOf({ ...usual, address: "wsl://Ubuntu" }, null)?.args.slice(0, 4), [
      "-d",
      "Ubuntu",
      "-e",
      "purser",
    ]);
    assert.equal(transportOf({ ...usual, address: "/shared" }, null), null);
  });
});

describe("purser machines", () => {
  it("merges a folder of exports, counts a copied session once, and removes a machine again", async (t) => {
    const [here, there] = [makeLedgerSetup(t), makeLedgerSetup(t)];
    here.box.transcript("s-1.jsonl", responseRow({ id: "1" }));
    for (const { box } of [here, there]) box.transcript("s-2.jsonl", responseRow({ id: "2" }));
    there.box.transcript("s-3.jsonl", responseRow({ id: "3" }));
    const shared = path.join(here.box.folder, "shared");
    mkdirSync(shared);
    const named = await there.purser(["machines", "label", "laptop"]);
    assert.equal(named.code, 0, named.stderr);
    const written = await there.purser([
      "ledger",
      "export",
      "--format",
      "ndjson",
      "--output",
      path.join(shared, "a.ndjson"),
    ]);
    assert.equal(written.code, 0, written.stderr);
    for (const words of [["add", shared], ["sync"]]) {
      const merged = await here.purser(["machines", ...words]);
      assert.deepEqual([merged.code, merged.stdout], [0, "laptop: 4 rows merged\n"], merged.stderr);
    }
    const responses = async (...words: string[]) => {
      const { code, stdout, stderr } = await here.purser(["usage", "--json", "--fresh", ...words]);
      assert.equal(code, 0, stderr);
      return usageJson.parse(JSON.parse(stdout)).totals.responses;
    };
    assert.equal(await responses(), 3);
    assert.equal(await responses("--machine", "laptop"), 1);
    assert.match((await here.purser(["machines", "list"])).stdout, /laptop +.*shared +0 min ago/u);
    assert.equal((await here.purser(["machines", "remove", "nobody"])).code, 1);
    assert.equal((await here.purser(["machines", "remove", "laptop"])).code, 0);
    assert.equal(await responses(), 2);
  });
});
