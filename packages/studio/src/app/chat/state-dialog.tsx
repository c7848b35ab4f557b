import type { State } from '@agent-criteria/core';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../api-client.ts';
import { Dialog } from '../dialog.tsx';
import { Field } from '../field.tsx';
import { parseState } from './parse-state.ts';

/** Asks for a state: the one that a session begins with, unless it says something else. */
export function StateDialog(props: {
  readonly title: string;
  readonly state: State;
  readonly deed: string;
  /** Default: `State at the beginning`. */
  readonly label?: string;
  readonly children?: ComponentChildren;
  close(): void;
  run(state: State): Promise<void>;
}) {
  const { title, deed, label = 'State at the beginning', close, run } = props;
  const [text, setText] = useState(JSON.stringify(props.state, null, 2));
  const [problem, setProblem] = useState<string>();
  const parsed = parseState(text);
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (parsed.state !== null) run(parsed.state).catch((error: unknown) => setProblem(messageOf(error)));
        }}
      >
        {props.children}
        <Field label={label} hint="A JSON object." problem={parsed.problem} lines={8} value={text} change={setText} />
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={parsed.state === null}>
            {deed}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
