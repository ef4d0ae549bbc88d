import assert from "node:assert/strict";
import { it } from "node:test";
import { promptName } from "../../../src/engine/transcripts/agent-session.ts";

it("A session that begins with a handover is named by the work, any other by its prompt", () => {
  assert.equal(
    promptName("Handover h889d1a46: Fix the booking dates\n\nAn earlier session"),
    "Fix the booking dates",
  );
  for (const prompt of ["Fix it", "", "See Handover h889d1a46: Fix it", "Handover h889d1a46:"])
    assert.equal(promptName(prompt), prompt);
});
