import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecurringFeed, agentNameOf } from "../../../../src/extension/economy/agents/economy-agents-feed.ts";
import type { AgentOverview } from "../../../../src/engine/recurring/wake/agent-overview.ts";
import { overview } from "../../support/recurring.ts";

function feedOf(read: (project: string) => Promise<readonly AgentOverview[]>) {
  const problems: string[] = [];
  const feed = new RecurringFeed({
    projects: () => ["/a", "/b"],
    read,
    onProblem: (message) => problems.push(message),
  });
  return { feed, problems };
}

describe("the feed of recurring agents", () => {
  it("reads every project once for many requests, and reports each reading", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let reads = 0;
    const { feed } = feedOf((project) => {
      reads += 1;
      return Promise.resolve([overview({ name: project === "/a" ? "keeper" : "reader" })]);
    });
    t.after(() => feed.dispose());
    let readings = 0;
    feed.onChange(() => (readings += 1));
    for (let count = 0; count < 50; count += 1) feed.soon();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([reads, readings], [2, 1]);
    assert.deepEqual(
      feed.agents.map(({ name }) => name),
      ["keeper", "reader"],
    );
    t.mock.timers.tick(400);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([reads, readings], [4, 2]);
    t.mock.timers.tick(10_000);
    assert.equal(reads, 4);
  });

  it("keeps the last agents if they cannot be read, and reports the failure", async (t) => {
    let isBroken = false;
    const { feed, problems } = feedOf(() =>
      isBroken ? Promise.reject(new Error("gone")) : Promise.resolve([overview()]),
    );
    t.after(() => feed.dispose());
    await feed.read();
    isBroken = true;
    await feed.read();
    assert.equal(feed.agents.length, 2);
    assert.deepEqual(problems, ["Recurring agents cannot be read: Error: gone"]);
  });
});

it("recognizes an agent's file by its folder", () => {
  const named = (fsPath: string, scheme = "file") => agentNameOf({ scheme, fsPath });
  assert.equal(named("/home/dev/harbor/.purser/agents/keeper.md"), "keeper");
  assert.equal(named("/home/dev/harbor/.purser/agents/Bad Name.md"), "Bad Name");
  for (const other of ["/h/.purser/agents/README.md", "/h/.purser/agents/x/a.md", "/h/.claude/agents/a.md"])
    assert.equal(named(other), null);
  assert.equal(named("/h/.purser/agents/keeper.md", "git"), null);
});
