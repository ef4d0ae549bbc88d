import { FileTail } from "../../transcripts/file-tail.ts";

/** Reads whatever is new in files that are found anew each time: answers a function that does so once. */
export function followFiles<File extends { readonly path: string }>(
  find: () => readonly File[],
  onLine: (line: Buffer, file: File) => void,
): () => void {
  const tails = new Map<string, FileTail>();
  return () => {
    for (const file of find()) {
      let tail = tails.get(file.path);
      if (tail === undefined) {
        tail = new FileTail(file.path, {
          // What is read again tells the same again: a response counts once, however often it is told.
          onRestart: () => undefined,
          onLine: (line) => onLine(line, file),
          onOversized: () => undefined,
        });
        tails.set(file.path, tail);
      }
      tail.poll(Infinity);
    }
  };
}
