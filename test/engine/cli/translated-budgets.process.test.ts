import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it, type TestContext } from "node:test";
import { installTranslation } from "../../../src/engine/base/text/l10n.ts";
import { readTranslation } from "../../../src/engine/cli/language.ts";
import { Scratch } from "./support/support.ts";

const translation = readTranslation(path.resolve(import.meta.dirname, "../../../l10n"), ["de"]);
if (translation !== undefined) installTranslation(translation);

function projectFor(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  mkdirSync(path.join(scratch.root, ".git"));
  const purser = async (...argv: string[]) => await scratch.purser(["budget", ...argv]);
  return { budgets: path.join(scratch.root, ".purser", "budgets"), purser };
}

it("a German user reads why a call is not allowed, in German, and a program reads it in English", async (t) => {
  const { purser } = projectFor(t);
  await purser("create", "fleet", "--convoy", "100k", "--agent", "4k/day");
  const call = ["check", "fleet", "--agent", "helm; of session", "--session", "s1", "--tokens", "5k"];
  const { stdout } = await purser(...call);
  assert.equal(
    stdout.split("\n")[0],
    'Nicht erlaubt. Dieser Aufruf würde ein Budget überschreiten: der Agent "helm; of session" der Sitzung s1' +
      " hat heute 0 von 4.000 Token verbraucht; dieser Aufruf wird auf 5.000 geschätzt (vom Aufrufer angegeben)." +
      " Zum Anheben: purser budget set fleet --agent TOKENS",
  );
  assert.match((await purser(...call, "--json")).stdout, /This call would pass a budget: the agent/u);
});

it("proposals name their source in German", async (t) => {
  const { stdout } = await projectFor(t).purser("create", "fleet");
  assert.match(stdout, /typisch für Opus, da noch kein Modell bekannt ist: 75\.000 bis 300\.000/u);
});

it("prints failures and faults of files in German", async (t) => {
  const { purser, budgets } = projectFor(t);
  assert.match((await purser("show", "fleet")).stderr, /^purser budget: es gibt kein Budget in .+ an mit /u);
  assert.equal(
    (await purser("show", "Fleet")).stderr,
    'purser budget: "Fleet" ist keine gültige Gruppen-ID: erlaubt sind höchstens 64 Zeichen aus a-z, 0-9, - und _,' +
      ' am Anfang ein Buchstabe oder eine Ziffer; "fleet" ginge\n',
  );
  await purser("create", "fleet", "--convoy", "100k");
  const file = path.join(budgets, "fleet.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("100000", "999"));
  writeFileSync(path.join(budgets, "Fleet copy.json"), "{}");
  const { stderr } = await purser("list");
  assert.match(stderr, /fleet\.json ist nicht verwendbar: ihre Prüfsumme passt nicht zum Inhalt; bis das /u);
  assert.match(
    stderr,
    /Fleet copy\.json ist kein Budget und begrenzt nichts: ihr Name ist keine Gruppen-ID/u,
  );
});
