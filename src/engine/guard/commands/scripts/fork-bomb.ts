import { forEachChild, type SyntaxNode } from "unbash";

/** Recognizes a function that starts itself twice, in a pipeline. */
export function isForkBomb(name: string, body: SyntaxNode): boolean {
  let isFound = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Pipeline") {
      const own = node.commands.filter((each) => each.type === "Command" && each.name?.value === name);
      if (own.length > 1) isFound = true;
    }
    if (node.type !== "Function") forEachChild(node, visit);
  };
  visit(body);
  return isFound;
}
