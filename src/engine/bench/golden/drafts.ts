import { mapSentence, sentence, type Sentence } from "../../base/language.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import { readFrontmatter } from "../frontmatter.ts";
import { filesBelow } from "./read.ts";
import { unwrittenCheck } from "./write-draft.ts";

export interface GoldenDraft {
  readonly file: string;
  /** Name of the draft's folder. */
  readonly agent: string;
  readonly title: string;
  /** Steps left for a person to finish the task, as far as its files show. */
  readonly remaining: readonly Sentence[];
}

const draftPath = /^([^/]+)\/([^/]+)\.draft\.md$/u;
const maxTitleLength = 120;

/** A draft may be half written: unreadable fields count as missing. */
const written = z.looseObject({
  title: z.catch(z.string(), ""),
  solution: z.catch(z.nullish(z.string()), null),
  wrong: z.catch(z.array(z.string()), []),
});

/** Reads the drafts in a folder, which need not be a complete suite yet. */
export async function readDrafts(folder: string): Promise<Result<GoldenDraft[], "unreadable">> {
  try {
    const names = (await filesBelow(path.join(folder, "tasks"))).filter((name) => draftPath.test(name));
    return succeed(await Promise.all(names.map((name) => readDraft(folder, name))));
  } catch (error) {
    return fail("unreadable", sentence("The drafts in {0} cannot be read ({1})", folder, errorCode(error)));
  }
}

async function readDraft(folder: string, name: string): Promise<GoldenDraft> {
  const [, agent = "", task = ""] = draftPath.exec(name) ?? [];
  const file = path.join(folder, "tasks", name);
  const read = readFrontmatter((await readFile(file, "utf8")).replaceAll("\r\n", "\n"), written);
  const content = read.ok ? read.value : { title: "", solution: null, wrong: [] };
  const checks = await checksOf(folder, agent, task);
  return {
    file,
    agent,
    title: cutMiddle(cleanText(content.title), maxTitleLength) || task,
    remaining: [
      ...(read.ok
        ? []
        : [
            sentence("fix the lines between ---: {why}", {
              why: mapSentence(read.detail, (text) => cutMiddle(cleanText(text), maxTitleLength)),
            }),
          ]),
      ...(checks.every((text) => text.includes(unwrittenCheck)) ? [sentence("write its check")] : []),
      ...((content.solution ?? "") === "" ? [sentence("add a solution as a patch")] : []),
      ...(content.wrong.length === 0 ? [sentence("add patches that look like solutions but are wrong")] : []),
      sentence("remove .draft from its name, then run purser golden check"),
    ],
  };
}

async function checksOf(folder: string, agent: string, task: string): Promise<string[]> {
  const checks = path.join(folder, "checks", agent);
  const own = (await filesBelow(checks)).filter((name) => name.split(/[./]/u, 1)[0] === task);
  return await Promise.all(own.map((name) => readFile(path.join(checks, name), "utf8")));
}
