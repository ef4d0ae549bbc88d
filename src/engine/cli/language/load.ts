/** Installs the translation of `purser`. Imported before anything else, since modules may hold sentences as constants. */
import path from "node:path";
import { isatty } from "node:tty";
import { installTranslation } from "../../base/text/l10n.ts";
import { readTranslation, wantedLanguages } from "./choose.ts";

const folder = path.dirname(import.meta.filename);
// Bundled, it is in `dist`, beside `l10n`.
const l10n = path.join(folder, import.meta.filename.endsWith(".ts") ? "../../../.." : "..", "l10n");
const languages = wantedLanguages({ argv: process.argv, env: process.env, isTerminal: () => isatty(1) });
const translation = readTranslation(l10n, languages);
if (translation !== undefined) installTranslation(translation);
