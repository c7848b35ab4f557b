import type { ApiError, ImportFile } from '../../api.ts';
import { addressOf, Refused } from '../api-client.ts';
import { connectionLost } from '../connection.ts';

/**
 * Sends a file to the studio. Unlike `fetch`, this reports how much has been sent.
 * @throws Refused; the reason of the signal if it is aborted.
 */
export function sendFile(
  file: File,
  { signal, onSent }: { readonly signal: AbortSignal; onSent(bytes: number): void },
): Promise<ImportFile> {
  return new Promise((settle, fail) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('POST /imports', { query: { name: file.name } }));
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const answer: unknown = parsed(request.responseText);
      if (request.status === 200) return settle(answer as ImportFile);
      const { detail } = (answer ?? {}) as Partial<ApiError>;
      const text = typeof detail === 'string' ? detail : `The studio answered ${request.status}.`;
      fail(new Refused(request.status, text, answer));
    };
    request.onerror = () => {
      connectionLost();
      fail(
        new Refused(
          0,
          `“${file.name}” could not be sent. Has it been changed or moved, or has the studio ended?`,
          null,
        ),
      );
    };
    request.onabort = () => fail(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
