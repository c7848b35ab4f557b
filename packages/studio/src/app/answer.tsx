import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, RouteName } from '../api.ts';
import { addressOf, ask, type Input } from './api-client.ts';
import { LOADING, type Loaded, loaded } from './store.ts';
import { useReturn } from './use-return.ts';

/**
 * Requests an endpoint, and requests it again whenever the input changes.
 *
 * @param input If `null`, nothing is requested.
 * @param age Repeats the same request when it changes, showing the previous answer in the meantime.
 */
export function useAnswer<Name extends RouteName>(
  name: Name,
  input: Input<Name> | null,
  age = 0,
): Loaded<Answer<Name>> {
  const [found, setFound] = useState<Loaded<Answer<Name>>>(LOADING);
  const [attempt, setAttempt] = useState(0);
  const address = input === null ? null : addressOf(name, input);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (input === null) return;
    const request = new AbortController();
    if (shown.current !== address) setFound(LOADING);
    shown.current = address;
    void loaded(() => ask(name, { ...input, signal: request.signal })).then((next) => {
      if (!request.signal.aborted) setFound(next);
    });
    return () => request.abort();
  }, [address, age, attempt]);
  useReturn(() => {
    if (found.state === 'failed') setAttempt((now) => now + 1);
  });
  return found;
}

/** Shows an answer, its error, or a loading note. */
export function Answered<Value>(props: {
  readonly found: Loaded<Value>;
  readonly waiting: string;
  children(value: Value): ComponentChildren;
}) {
  const { found, waiting, children } = props;
  if (found.state === 'loading') return <p class="note">{waiting}</p>;
  if (found.state === 'failed') return <Problem text={found.problem} />;
  return <>{children(found.value)}</>;
}

export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="problem" role="alert" dir="auto">
      {text}
    </p>
  );
}

/** Remarks on a file or a case. */
export function Notes({ notes = [] }: { readonly notes?: readonly string[] | undefined }) {
  return (
    <>
      {notes.map((note) => (
        <p key={note} class="banner not-evaluated" dir="auto">
          {note}
        </p>
      ))}
    </>
  );
}
