import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { NewProposals } from "../../../src/extension/instructions/new-proposals.ts";

/** A folder of proposals in which files appear while it is read. */
function world(written: readonly (readonly string[])[] = []) {
  const [reported, names, pauses]: [string[], Set<string>, number[]] = [[], new Set(), []];
  const proposals = new NewProposals({
    list: (folder) => Promise.resolve(folder === "/p" ? [...names] : []),
    notify: (definition) => Promise.resolve(void reported.push(definition)),
    join: (folder, name) => `${folder}/${name}`,
    pause: (time) => {
      for (const name of written[pauses.push(time) - 1] ?? []) names.add(name);
      return Promise.resolve();
    },
  });
  return { proposals, reported, pauses };
}

describe("proposals that appear", () => {
  it("finds proposals in a new folder, with or without events for its files", async () => {
    const { proposals, reported, pauses } = world([
      [],
      ["sql-1.receipt.json", "sql-1.receipt.md"],
      ["sql-1.md"],
    ]);
    await proposals.folderAppeared("/p");
    assert.deepEqual(reported, ["/p/sql-1.md"]);
    assert.deepEqual(pauses, [0, 1000, 4000]);
  });

  it("reports each proposal once, in any order of file and folder events", async () => {
    const names = ["a.md", "a.receipt.md", "b.md", "b.receipt.json"];
    const step = fc.constantFrom("folder", ...names);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { proposals, reported } = world([names]);
        const ends = steps.map((each) =>
          each === "folder" ? proposals.folderAppeared("/p") : proposals.fileAppeared(`/p/${each}`),
        );
        await Promise.all(ends);
        const all = steps.includes("folder") ? names : steps;
        const wanted = ["/p/a.md", "/p/b.md"].filter((file) => all.includes(file.slice(3)));
        assert.deepEqual(reported.toSorted(), wanted);
      }),
    );
  });

  it("reports a proposal again after it was removed", async () => {
    const { proposals, reported } = world();
    await proposals.fileAppeared("/p/sql.md");
    proposals.fileWent("/p/sql.md");
    await proposals.fileAppeared("/p/sql.md");
    assert.equal(reported.length, 2);
  });
});
