import type * as z from "zod/mini";
import { parseDocument } from "yaml";
import { librarySentence, sentence, joinSentences } from "../base/language.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { issueSentence, issuesOf } from "../base/schema-issues.ts";

export { agentName } from "./golden/golden-schema.ts";

const maxFileLength = 100_000;

/** Reads the YAML between the first two `---` lines of a Markdown file. */
export function readFrontmatter<Schema extends z.ZodMiniType>(
  text: string,
  schema: Schema,
): Result<z.output<Schema>, "bad_frontmatter"> {
  if (text.length > maxFileLength)
    return fail(
      "bad_frontmatter",
      sentence("It has {0} characters; at most {1} are read", text.length, maxFileLength),
    );
  const [, yaml] = /^\uFEFF?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)/su.exec(text.replaceAll("\r\n", "\n")) ?? [];
  if (yaml === undefined)
    return fail("bad_frontmatter", sentence("It does not begin with lines between --- and ---"));
  const read = readYaml(yaml);
  if (!read.ok) return read;
  const checked = schema.safeParse(read.value);
  if (checked.success) return succeed(checked.data);
  const issues = issuesOf(checked.error).map(issueSentence);
  return fail("bad_frontmatter", joinSentences(issues, "; "));
}

function readYaml(yaml: string): Result<unknown, "bad_frontmatter"> {
  try {
    const document = parseDocument(yaml, { logLevel: "silent", prettyErrors: false, stringKeys: true });
    const [error] = document.errors;
    if (error !== undefined) return fail("bad_frontmatter", librarySentence(error.message));
    // Aliases have no use here, and a few of them can expand to gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return succeed(value);
  } catch (error) {
    if (error instanceof Error) return fail("bad_frontmatter", librarySentence(error.message));
    throw error;
  }
}
