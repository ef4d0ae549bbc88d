import { sentence } from "../base/language.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import { readReceipt, type Receipt } from "../verdict/receipt.ts";

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
