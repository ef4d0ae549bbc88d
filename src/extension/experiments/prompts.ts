import { plainSentence } from "../../engine/base/language.ts";
import { constants } from "node:fs";
import { copyFile, mkdir, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { errorCode, fail, rethrowUnlessSystemError, succeed, type Result } from "../../engine/base/result.ts";
import { readFrontmatter } from "../../engine/bench/frontmatter.ts";
import type { PromptOffer } from "../../webview/experiments/form/form.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** Limits: definitions read per folder; size of one in bytes, as a comparison's request allows. */
const [maxFiles, maxSize] = [100, 200_000];
/** Copies of one prompt. */
const maxCopies = 100;

const ownFolder = path.join(".purser", "prompts");

/** Folders of a project with agent definitions: Claude Code's own, edited copies, and proposals. */
const folders = [path.join(".claude", "agents"), ownFolder, path.join(".purser", "proposals")];

/** Agent definitions of the window's folders. @param projects absolute */
export async function promptOffers(projects: readonly string[]): Promise<PromptOffer[]> {
  const places = projects.flatMap((project) => folders.map((folder) => ({ project, folder })));
  const found = await Promise.all(places.map(({ project, folder }) => offersIn(project, folder)));
  return found.flat();
}

async function offersIn(project: string, folder: string): Promise<PromptOffer[]> {
  const names = (await namesIn(path.join(project, folder))).slice(0, maxFiles);
  const read = await Promise.all(names.map((name) => offerOf(project, path.join(folder, name))));
  return read.filter((offer) => offer !== null);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(".md") && !name.endsWith(".receipt.md")).sort();
  } catch (error) {
    // A missing folder has no prompts; an unreadable one is treated the same.
    rethrowUnlessSystemError(error);
    return [];
  }
}

/** Null for what is no agent's definition. */
async function offerOf(project: string, name: string): Promise<PromptOffer | null> {
  const file = path.join(project, name);
  try {
    if ((await stat(file)).size > maxSize) return null;
    const definition = await readFile(file, "utf8");
    const named = readFrontmatter(definition, z.looseObject({ name: z.string() }));
    if (!named.ok) return null;
    return { agent: named.value.name, file, name: name.replaceAll(path.sep, "/"), definition };
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}

/** Copies a prompt into the project's own prompts, overwriting nothing. @param source absolute */
export async function copyOfPrompt(
  { agent, source, project }: { readonly agent: string; readonly source: string; readonly project: string },
  t: Translate,
): Promise<Result<string>> {
  const folder = path.join(project, ownFolder);
  try {
    await mkdir(folder, { recursive: true });
    for (let number = 2; number < maxCopies; number++) {
      const file = path.join(folder, `${path.basename(agent)}-${number}.md`);
      if (await copied(source, file)) return succeed(file);
    }
  } catch (error) {
    rethrowUnlessSystemError(error);
    return fail(
      "unwritable",
      plainSentence(t("The copy could not be written to {0} ({1}).", folder, errorCode(error))),
    );
  }
  return fail(
    "too_many",
    plainSentence(t("{0} has {1} copies of this prompt. Remove some of them.", folder, maxCopies)),
  );
}

/** False if there is such a file. */
async function copied(source: string, file: string): Promise<boolean> {
  try {
    await copyFile(source, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
