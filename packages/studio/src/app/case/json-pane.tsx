import type { EvalCase } from '@agent-criteria/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Notes, Problem } from '../answer.tsx';
import { ask, messageOf } from '../api-client.ts';
import { complain } from '../toasts.tsx';
import type { JsonEditor } from './json-editor.ts';
import { READING } from './use-case-draft.ts';

/** Debounce delay in milliseconds before the text is parsed. */
const PAUSE = 150;

/**
 * Shows a draft as JSON text. The editor is loaded lazily; the server parses and formats the text the same way as
 * files.
 */
export function JsonPane(props: {
  readonly value: EvalCase;
  readonly readOnly: boolean;
  change(value: EvalCase): void;
  /** Reports why the draft does not contain the text, or `undefined` once it does. */
  setError(problem: string | undefined): void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<JsonEditor | null>(null);
  const current = useRef(props);
  current.current = props;
  /** JSON of the draft shown in the editor. */
  const known = useRef('');
  const [isThere, setThere] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const reading = useRef<AbortController>(new AbortController());

  const fail = (why: string | undefined) => {
    setProblem(why);
    current.current.setError(why);
  };
  const read = async (text: string, signal: AbortSignal) => {
    try {
      const found = await ask('POST /cases/read', { body: { text }, signal });
      if (signal.aborted) return;
      known.current = JSON.stringify(found.evalCase);
      setNotes(found.notes);
      fail(undefined);
      editor.current?.mark(null);
      current.current.change(found.evalCase);
    } catch (error) {
      if (signal.aborted) return;
      fail(messageOf(error));
      editor.current?.mark(messageOf(error));
    }
  };
  const write = async (value: EvalCase): Promise<string> => {
    try {
      return (await ask('POST /cases/write', { body: value })).text;
    } catch {
      // The draft may not be a valid case yet, for example without an id.
      return JSON.stringify(value, null, 2);
    }
  };

  useEffect(() => {
    let over = false;
    const open = async () => {
      const { value } = current.current;
      known.current = JSON.stringify(value);
      const [{ openJsonEditor }, text] = await Promise.all([import('./json-editor.ts'), write(value)]);
      if (over || host.current === null) return;
      let timer: ReturnType<typeof setTimeout>;
      editor.current = openJsonEditor(host.current, text, current.current.readOnly, (next) => {
        clearTimeout(timer);
        reading.current.abort();
        reading.current = new AbortController();
        const { signal } = reading.current;
        // Prevents saving until the text has been parsed.
        current.current.setError(READING);
        timer = setTimeout(() => void read(next, signal), PAUSE);
      });
      setThere(true);
    };
    open().catch(complain);
    return () => {
      over = true;
      reading.current.abort();
      editor.current?.close();
      current.current.setError(undefined);
    };
  }, []);
  useEffect(() => {
    // Shows only changes made by undo or a save, never what was just typed.
    const now = JSON.stringify(props.value);
    if (now === known.current || editor.current === null) return;
    known.current = now;
    reading.current.abort();
    fail(undefined);
    setNotes([]);
    void write(props.value).then((text) => {
      if (known.current !== now) return;
      editor.current?.show(text);
      editor.current?.mark(null);
    });
  }, [props.value]);
  return (
    <>
      {!isThere && <p class="note">Loading the editor…</p>}
      <div ref={host} class="json-editor" />
      <Problem text={problem} />
      <Notes notes={notes} />
      <p class="note">
        As the file has it. JSON with comments can be pasted, too. Tab indents here; press Escape, then Tab, to leave
        the editor.
      </p>
    </>
  );
}
