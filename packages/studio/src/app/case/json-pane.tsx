import type { EvalCase } from '@agent-criteria/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CaseText } from '../../api.ts';
import { ask, messageOf } from '../api-client.ts';
import { complain } from '../toasts.tsx';
import type { JsonEditor } from './json-editor.ts';

/** Milliseconds without a key after which what was typed is read. */
const PAUSE = 150;

/** A draft as the text that files have. The editor is loaded when it is opened; the studio reads and writes the text, as it does files. */
export function JsonPane(props: {
  readonly value: EvalCase;
  readonly readOnly: boolean;
  change(value: EvalCase): void;
  /** Why the text is not the draft now; `undefined`: it is. */
  slip(problem: string | undefined): void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<JsonEditor | null>(null);
  const current = useRef(props);
  current.current = props;
  /** The draft that the text says. */
  const known = useRef('');
  const [isThere, setThere] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const reading = useRef<AbortController>(new AbortController());

  const slip = (why: string | undefined) => {
    setProblem(why);
    current.current.slip(why);
  };
  const read = async (text: string, signal: AbortSignal) => {
    try {
      const found = await ask<CaseText>('POST', '/cases/read', { body: { text }, signal });
      if (signal.aborted) return;
      known.current = JSON.stringify(found.evalCase);
      setNotes(found.notes);
      slip(undefined);
      editor.current?.mark(null);
      current.current.change(found.evalCase);
    } catch (error) {
      if (signal.aborted) return;
      slip(messageOf(error));
      editor.current?.mark(messageOf(error));
    }
  };
  const write = async (value: EvalCase): Promise<string> => {
    try {
      return (await ask<CaseText>('POST', '/cases/write', { body: value })).text;
    } catch {
      // A draft that is not a case yet: an id that is empty, for one.
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
        // Nothing is saved that is not read yet.
        current.current.slip('Reading…');
        timer = setTimeout(() => void read(next, signal), PAUSE);
      });
      setThere(true);
    };
    open().catch(complain);
    return () => {
      over = true;
      reading.current.abort();
      editor.current?.close();
      current.current.slip(undefined);
    };
  }, []);
  useEffect(() => {
    // Its own words never come back: only what undo or a save has changed.
    const now = JSON.stringify(props.value);
    if (now === known.current || editor.current === null) return;
    known.current = now;
    reading.current.abort();
    slip(undefined);
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
      {problem !== undefined && (
        <p class="problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="banner not-evaluated" dir="auto">
          {note}
        </p>
      ))}
      <p class="note">
        As the file has it. JSON with comments can be pasted, too. Tab indents here; press Escape, then Tab, to leave
        the editor.
      </p>
    </>
  );
}
