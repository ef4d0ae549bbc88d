/** Files that only their user may read. */
export { isOpen, isOwn, readPrivateFile, readPrivateText } from "./disk/private-file.ts";
export { ensurePrivateFolder, writeBehindLink, writePrivateFile } from "./disk/private-place.ts";
