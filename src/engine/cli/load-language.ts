/** Installs the translation of `purser`. Imported before anything else, since modules may hold sentences as constants. */
import path from "node:path";
import { installTranslation } from "../base/language.ts";
import { readTranslation, wantedLanguages } from "./language.ts";

const folder = path.dirname(import.meta.filename);
// Bundled, it is in `dist`, beside `l10n`.
const l10n = path.join(folder, import.meta.filename.endsWith(".ts") ? "../../.." : "..", "l10n");
// On demand: it loads Node's sockets.
const isTerminal = () => process.getBuiltinModule("node:tty").isatty(1);
const languages = wantedLanguages({ argv: process.argv, env: process.env, isTerminal });
const translation = readTranslation(l10n, languages);
if (translation !== undefined) installTranslation(translation);
