import type { Content } from '@agent-criteria/core';

/** Names the files of a message, by their types if they have no names. */
export function fileNames(content: Content | null | undefined): readonly string[] {
  return (content?.parts ?? []).flatMap(({ inlineData, fileData }) => {
    const file = inlineData ?? fileData;
    if (!file) return [];
    return [file.displayName || fileData?.fileUri || file.mimeType || 'a file'];
  });
}
