import path from "node:path";
import { installTranslation } from "../../../src/engine/base/text/l10n.ts";
import { readTranslation } from "../../../src/engine/cli/language/choose.ts";

/** Installs the German translation for a whole test file. Imported before anything else, since modules may hold sentences as constants. */
const translation = readTranslation(path.resolve(import.meta.dirname, "../../../l10n"), ["de"]);
if (translation !== undefined) installTranslation(translation);
