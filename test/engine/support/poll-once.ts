import { FileTail } from "../../../src/engine/transcripts/file-tail.ts";

/** Polls the file named on the command line once, in a process that can be killed if it never returns. */
const path = process.argv[2] ?? "";
const ignore = () => undefined;
const poll = new FileTail(path, { onRestart: ignore, onLine: () => true, onOversized: ignore }).poll(1024);
process.stdout.write(JSON.stringify(poll));
