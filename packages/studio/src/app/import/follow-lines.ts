import type { ImportLine, ImportProgress } from '../../api.ts';

/**
 * Reads an answer that reports its progress, up to its result.
 * @throws Error with the reason why there is none.
 */
export async function followLines<Value>(
  { body }: Response,
  onProgress: (progress: ImportProgress) => void,
): Promise<Value> {
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const line = JSON.parse(text) as ImportLine<Value>;
      if ('done' in line) return line.done;
      if ('failed' in line) throw new Error(line.failed);
      onProgress(line.progress);
    }
    if (done) throw new Error('The studio ended before the file was read.');
  }
}
