import path from "node:path";
import { insideProject } from "../base/paths.ts";
import { sentence } from "../base/language.ts";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import type { FilePort } from "../base/files.ts";
import { isAgentName } from "../rules/distil.ts";
import { type Receipt, receiptToMarkdown, readReceipt } from "../verdict/receipt.ts";
import { readdir, readFile } from "node:fs/promises";

/** A proposed prompt found in a workspace. Anybody may have written it; its receipt shows whether the evidence was changed. */
export interface FoundProposal {
  readonly definition: string;
  readonly receiptText: string;
  readonly receipt: Result<Receipt, "no_receipt">;
}

export function proposalFolder(workspace: string): string {
  return path.join(workspace, ".purser", "proposals");
}

/** Newest first; those without a receipt last. */
export async function readProposals(workspace: string): Promise<FoundProposal[]> {
  const folder = proposalFolder(workspace);
  const names = (await namesIn(folder)).filter(isDefinition);
  const found = await Promise.all(names.map((name) => readOneProposal(path.join(folder, name))));
  const timeOf = ({ receipt }: FoundProposal) => (receipt.ok ? receipt.value.at : 0);
  return found.toSorted((one, other) => timeOf(other) - timeOf(one));
}

export async function readOneProposal(definition: string): Promise<FoundProposal> {
  const base = definition.slice(0, -".md".length);
  const receiptText = `${base}.receipt.md`;
  return { definition, receiptText, receipt: await receiptIn(`${base}.receipt.json`) };
}

async function receiptIn(file: string): Promise<FoundProposal["receipt"]> {
  try {
    const read = readReceipt(await readFile(file, "utf8"));
    return read.ok ? succeed(read.value) : fail("no_receipt", read.detail);
  } catch (error) {
    return fail("no_receipt", sentence("Its receipt cannot be read: {0}", errorCode(error)));
  }
}

function isDefinition(name: string): boolean {
  return name.endsWith(".md") && !name.endsWith(".receipt.md");
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
    throw error;
  }
}

/** A rewrite that won, next to its evidence. Only the user applies it. */
export interface ProposalFiles {
  readonly definition: string;
  readonly receipt: string;
  readonly receiptText: string;
}

/** Into `.purser/proposals`, overwriting nothing. Only a rewrite that is shown to be better is written. */
export async function writeProposal(
  { workspace, definition, receipt }: { workspace: string; definition: string; receipt: Receipt },
  files: Pick<FilePort, "create" | "makeFolder">,
): Promise<Result<ProposalFiles, "bad_agent" | "not_better" | "outside_project">> {
  if (!isAgentName(receipt.agent))
    return fail("bad_agent", sentence("An agent's name is letters, digits, dots and hyphens"));
  if (receipt.verdict.kind !== "saves")
    return fail(
      "not_better",
      sentence("The rewrite is not shown to be better: {why}", { why: receipt.verdict.reason }),
    );
  const folder = proposalFolder(workspace);
  const inside = insideProject(folder, workspace);
  if (!inside.ok) return inside;
  const name = `${receipt.agent}-${receipt.seal.slice(0, 10)}`;
  const pathWith = (ending: string) => path.join(folder, `${name}${ending}`);
  const paths = {
    definition: pathWith(".md"),
    receipt: pathWith(".receipt.json"),
    receiptText: pathWith(".receipt.md"),
  };
  await files.makeFolder(folder);
  await write(files, paths.receipt, `${JSON.stringify(receipt, null, 2)}\n`);
  await write(files, paths.receiptText, receiptToMarkdown(receipt));
  await write(files, paths.definition, definition);
  return succeed(paths);
}

/** An existing file has the same seal in its name, and so the same content. */
async function write(files: Pick<FilePort, "create">, filePath: string, text: string): Promise<void> {
  try {
    const file = await files.create(filePath);
    try {
      await file.write(Buffer.from(text), 0);
      await file.flush();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
