import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  ImportChoices,
  ImportedRunPlace,
  ImportedSetPlace,
  ImportFile,
  ImportProgress,
  ImportReading,
  NewImportedRun,
  NewImportedSet,
  ShownImport,
} from '../../api.ts';
import { addressOf, messageOf, send } from '../api-client.ts';
import { fileProblem } from './file-problem.ts';
import { followLines } from './follow-lines.ts';
import { sendFile } from './send-file.ts';

/** Milliseconds without a change to the fields after which the file is read again. */
const PAUSE = 400;

/** The file that is being imported. */
export type Source =
  | { readonly state: 'none' }
  | { readonly state: 'sending'; readonly name: string; readonly size: number; readonly sent: number }
  | { readonly state: 'sent'; readonly file: ImportFile };

export type ImportDraft = ReturnType<typeof useImport>;

/** Sends a file, reads it whenever the fields change, and imports it. The studio forgets the file with the page. */
export function useImport(choices: ImportChoices | null) {
  const [source, setSource] = useState<Source>({ state: 'none' });
  const [reading, setReading] = useState<ImportReading>({});
  const [preview, setPreview] = useState<ShownImport | null>(null);
  /** How far the file has been read; `null` while it is not read. */
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [making, setMaking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const request = useRef(new AbortController());
  const kept = useRef<ImportFile | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);

  const restart = () => {
    clearTimeout(pause.current);
    request.current.abort();
    request.current = new AbortController();
    setProblem(undefined);
    return request.current.signal;
  };

  const forget = () => {
    clearTimeout(pause.current);
    request.current.abort();
    const file = kept.current;
    kept.current = null;
    if (file !== null) {
      // It is on its way even if the page ends.
      void fetch(addressOf('DELETE /imports/:import', { import: file.id }), {
        method: 'DELETE',
        keepalive: true,
      }).catch(() => undefined);
    }
  };
  useEffect(() => {
    addEventListener('pagehide', forget);
    return () => {
      removeEventListener('pagehide', forget);
      forget();
    };
  }, []);

  /** Follows a request that reads the file. @returns `null` if it was given up or failed. */
  const follow = async <Value>(address: string, file: ImportFile, body: object): Promise<Value | null> => {
    const signal = restart();
    setProgress({ bytes: 0, size: file.size, conversations: 0 });
    try {
      const answer = await send('POST', address, { body, signal });
      return await followLines<Value>(answer, (next) => {
        if (!signal.aborted) setProgress(next);
      });
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error));
      return null;
    } finally {
      if (!signal.aborted) setProgress(null);
    }
  };

  const read = async (file: ImportFile, how: ImportReading) => {
    const address = addressOf('POST /imports/:import/preview', { import: file.id, body: how });
    const found = await follow<ShownImport>(address, file, how);
    if (found !== null) setPreview(found);
  };

  const make = async <Place>(address: (file: ImportFile) => string, body: object): Promise<Place | null> => {
    if (source.state !== 'sent') return null;
    setMaking(true);
    const place = await follow<Place>(address(source.file), source.file, body);
    setMaking(false);
    // The studio has deleted the file.
    if (place !== null) kept.current = null;
    return place;
  };

  return {
    source,
    reading,
    preview,
    progress,
    making,
    problem,
    /** Takes a file in place of the one before. */
    async take(files: readonly File[]): Promise<void> {
      const [file] = files;
      if (file === undefined) return;
      forget();
      const signal = restart();
      setPreview(null);
      setProgress(null);
      setReading({});
      setSource({ state: 'none' });
      const wrong = await fileProblem(files, choices?.maxBytes);
      if (wrong !== null) return setProblem(wrong);
      const { name, size } = file;
      setSource({ state: 'sending', name, size, sent: 0 });
      try {
        const sent = await sendFile(file, {
          signal,
          onSent: (bytes) => setSource({ state: 'sending', name, size, sent: bytes }),
        });
        kept.current = sent;
        setSource({ state: 'sent', file: sent });
        await read(sent, {});
      } catch (error) {
        if (signal.aborted) return;
        setSource({ state: 'none' });
        setProblem(messageOf(error));
      }
    },
    /** Reads the file in another way, after a pause in which fields may change further. */
    change(next: Partial<ImportReading>): void {
      if (source.state !== 'sent') return;
      const how = { ...reading, ...next };
      const { file } = source;
      setReading(how);
      restart();
      setProgress({ bytes: 0, size: file.size, conversations: 0 });
      pause.current = setTimeout(() => void read(file, how), PAUSE);
    },
    /** Gives up what is under way: making a run or cases, or else the file. */
    cancel(): void {
      if (making) {
        restart();
        setMaking(false);
        setProgress(null);
        return;
      }
      forget();
      restart();
      setSource({ state: 'none' });
      setPreview(null);
      setProgress(null);
    },
    makeRun: (body: Omit<NewImportedRun, keyof ImportReading>) =>
      make<ImportedRunPlace>((file) => addressOf('POST /imports/:import/run', { import: file.id, body: reading }), {
        ...reading,
        ...body,
      }),
    makeCases: (body: Omit<NewImportedSet, keyof ImportReading>) =>
      make<ImportedSetPlace>(
        (file) => addressOf('POST /imports/:import/cases', { import: file.id, body: { ...reading, ...body } }),
        { ...reading, ...body },
      ),
  };
}
