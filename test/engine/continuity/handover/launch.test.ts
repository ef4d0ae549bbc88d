import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { handoverId, handoverIn, isHandoverId } from "../../../../src/engine/continuity/handover/identity.ts";
import {
  handoverWords,
  launchArguments,
  wordOf,
  type LaunchInput,
} from "../../../../src/engine/continuity/handover/launch.ts";

const text = "Handover h3f9c1a7e: go on.\n\n## Objective\n\n- $(rm -rf ~) `x` \"y\" 'z' %PATH%";
const input: LaunchInput = {
  word: "claude",
  id: "h3f9c1a7e",
  text,
  file: "/home/mara/.purser/handovers/2026-11-30 Fix dates.md",
  folder: "/home/mara/.purser/handovers",
  platform: "linux",
  isAttended: true,
};
const read =
  "Handover h3f9c1a7e: read `/home/mara/.purser/handovers/2026-11-30 Fix dates.md` and go on from there. It is the record of an earlier session.";

it("Each agent starts with the document as one argument, at a terminal and without one", () => {
  const both = handoverWords.map((word) => [
    launchArguments({ ...input, word }),
    launchArguments({ ...input, word, isAttended: false }),
  ]);
  assert.deepEqual(both, [
    [[text], ["-p", text]],
    [[text], ["exec", text]],
    [
      ["-i", text],
      ["-p", text],
    ],
    [
      ["-i", text],
      ["-p", text],
    ],
  ]);
});

it("A document too long for an argument, and any on Windows, is read from its file, which is within reach", () => {
  const long = { ...input, text: `${text}${"ä".repeat(60_000)}` };
  const windows = { ...input, platform: "win32" as const };
  for (const each of [long, windows, { ...input, text: `${text}\0` }])
    assert.deepEqual(
      handoverWords.map((word) => launchArguments({ ...each, word })),
      [
        [read, "--add-dir", input.folder],
        [read],
        ["--add-dir", input.folder, "-i", read],
        ["--include-directories", input.folder, "-i", read],
      ],
    );
});

it("However people edit a document, its prompt names its id and cannot be an option", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom(...handoverWords),
      (edited, word) => {
        const args = launchArguments({ ...input, text: edited, word });
        const prompts = args.filter((argument) => handoverIn(argument) === input.id);
        assert.equal(prompts.length, 1);
        assert.doesNotMatch(prompts[0] ?? "", /^[-@/!#]/u);
        if (!edited.includes("\0")) assert.ok(prompts[0]?.endsWith(edited));
      },
    ),
  );
});

it("A document id differs from a session id, and is found only at the start of a prompt", () => {
  const id = handoverId("3F9C1A7E-aaaa-4000-8000-000000000000");
  assert.equal(id, "h3f9c1a7e");
  assert.ok(isHandoverId(id) && isHandoverId(handoverId("")));
  assert.ok(!isHandoverId("3f9c1a7e") && !isHandoverId("h3f9c1a7e-aaaa"));
  assert.equal(handoverIn(read), "h3f9c1a7e");
  assert.equal(handoverIn(`Look at Handover ${id}: what is it?`), null);
  assert.equal(handoverIn("Handover h3f9c1a7eff: no"), null);
  assert.equal(wordOf("claude-code"), "claude");
  assert.equal(wordOf("vscode-chat"), null);
});
