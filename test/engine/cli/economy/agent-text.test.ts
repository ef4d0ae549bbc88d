import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shownText } from "../../../../src/engine/cli/economy/agent-text.ts";
import { styleFor } from "../../../../src/engine/cli/style.ts";
import { wake } from "../../../extension/support/recurring.ts";
import { recurringAgent } from "../../recurring/wake/support/agent.ts";

const plain = styleFor({ env: {}, stdout: { write: () => true, isTTY: false } });

describe("the output of purser agent show", () => {
  it("has the skills that reached the last wake, with their bytes and hash", () => {
    const shown = (changes: Parameters<typeof wake>[0]) =>
      shownText(
        recurringAgent("keeper"),
        { schema: 1, project: "/argo", agents: [], wakes: [wake(changes)] },
        0,
        plain,
      );
    assert.match(
      shown({ skills: "lamps,tides", skillBytes: 1234, skillsHash: "ab12" }),
      /Last skills +lamps, tides; 1,234 bytes; hash ab12\n/u,
    );
    assert.match(shown({ skills: "", skillBytes: 0 }), /Last skills +none; 0 bytes\n/u);
    assert.match(shown({ skills: null }), /Last skills +unknown: the program tells none from another\n/u);
  });
});
