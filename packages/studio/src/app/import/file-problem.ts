import { sizeText } from './size-text.ts';

/** Says why files cannot be imported, before they are sent. `null` if they can. */
export async function fileProblem(files: readonly File[], maxBytes: number | undefined): Promise<string | null> {
  const [file] = files;
  if (file === undefined) return null;
  if (files.length > 1) {
    return `These are ${files.length} files, and one is imported at a time. Drop them one by one, or make one run of them with “npx agent-criteria import FILE FILE”.`;
  }
  try {
    // A folder can be dropped, and then not be read.
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return `“${file.name}” cannot be read. A folder cannot be imported: choose a file in it.`;
  }
  if (file.size === 0) return `“${file.name}” is empty: choose a file with conversations.`;
  if (maxBytes !== undefined && file.size > maxBytes) {
    return `“${file.name}” has ${sizeText(file.size)}, and at most ${sizeText(maxBytes)} are accepted here. Import it with “npx agent-criteria import FILE”, which has no limit.`;
  }
  return null;
}
