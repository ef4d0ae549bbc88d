/** Installs the translation of `purser`. Imported before anything else, since modules may hold sentences as constants. */
import path from "node:path";
import { installTranslation } from "../base/language.ts";
import { readPackedTranslation } from "../base/packed-texts.ts";
import { readTranslation, wantedLanguages } from "./language.ts";

const folder = path.dirname(import.meta.filename);
// On demand: it loads Node's sockets.
const isTerminal = () => process.getBuiltinModule("node:tty").isatty(1);
const languages = wantedLanguages({ argv: process.argv, env: process.env, isTerminal });
const translation = import.meta.filename.endsWith(".ts")
  ? readTranslation(path.join(folder, "../../../l10n"), languages)
  : readPackedTranslation(folder, languages);
if (translation !== undefined) installTranslation(translation);
