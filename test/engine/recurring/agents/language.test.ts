import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "../../../../src/engine/base/language.ts";
import { readDefinition } from "../../../../src/engine/recurring/agents/definition.ts";
import { readTaskDocument } from "../../../../src/engine/recurring/tasks/head-and-text.ts";
import { inGerman } from "../../support/in-german.ts";

function faultsOf(text: string): string[] {
  const read = readDefinition("miller", text);
  return [...(read.ok ? [] : [read.detail]), ...(read.faults ?? []).map(({ message }) => message)].map(
    inWords,
  );
}

test(
  "problems in an agent's file are reported in the person's language",
  inGerman(() => {
    assert.deepEqual(faultsOf("Grind.\n"), [
      "Zeile 1: sie muss mit einem Kopf zwischen Zeilen aus --- beginnen",
      "sie muss mit einem Kopf zwischen Zeilen aus --- beginnen",
    ]);
    assert.deepEqual(
      faultsOf("---\nprogram: copilot\nmodel: m\nwake: Go on.\ntimezone: UTC\ncache: 1h\n---\nGrind.\n"),
      [
        "Zeile 5: timezone: es gibt keinen Zeitplan",
        "timezone: es gibt keinen Zeitplan",
        "cache: Copilot CLI lässt nicht wählen, wie lange sein Cache lebt",
      ],
    );
  }),
);

test(
  "so are problems in a task's file",
  inGerman(() => {
    const read = readTaskDocument("T1", "# Grind\n");
    assert.equal(
      read.ok ? "" : inWords(read.detail),
      "Zeile 1: sie muss mit einem Kopf zwischen Zeilen aus --- beginnen",
    );
  }),
);
