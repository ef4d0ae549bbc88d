import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { lintInstructions } from "../../../src/engine/instructions/lint.ts";
import { findingText, fixTitle } from "../../../src/extension/instructions/describe-instructions.ts";
import { t } from "../support/session.ts";
import { inGerman } from "../../engine/support/in-german.ts";

test(
  "shows a finding, its remedy and its fix in the editor's language, quoting the file",
  inGerman(async () => {
    const text =
      "# Orrery\n\nLast updated: 2026-11-24\n\nRead the map of the night sky before you change a gear, and write down in the log which star it follows and why.\n";
    const found = await lintInstructions(text, {
      project: "/orrery",
      home: null,
      read: () => Promise.resolve(null),
      others: [
        {
          name: plainSentence("../CLAUDE.md"),
          text: "Read the map of the night sky before you change a gear, and write down in the log which star it follows and why.\n",
        },
      ],
      charactersPerToken: [],
    });
    const use = { tokens: 9, times: null, per: "sessions" } as const;
    assert.deepEqual(
      found.map((each) => findingText(each, use, t).split("\n")[0]),
      [
        "„Last updated: 2026-11-24“ ändert sich mit jeder Bearbeitung. Bei jeder Änderung liest der Anbieter alles dahinter" +
          " neu statt aus seinem Cache. Entfernen Sie das Datum: git weiß, wann die Datei geändert wurde.",
        "Das steht auch in ../CLAUDE.md, Zeile 1: Sitzungen erhalten es zweimal. Behalten Sie nur eines davon.",
      ],
    );
    assert.deepEqual(
      found.map(({ fix }) => (fix === null ? "" : fixTitle(fix))),
      ["Diese Zeile entfernen", "Hier entfernen, es steht in ../CLAUDE.md"],
    );
  }),
);
