import type { State } from '@agent-criteria/core';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../api-client.ts';
import { FormDialog } from '../dialog.tsx';
import { Field } from '../field.tsx';
import { parseState } from './state.ts';

/** Asks for a state, by default a session's initial state. */
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
  const submit = () => {
    if (parsed.state !== null) run(parsed.state).catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <FormDialog title={title} problem={problem} deed={deed} ready={parsed.state !== null} submit={submit} close={close}>
      {props.children}
      <Field label={label} hint="A JSON object." problem={parsed.problem} lines={8} value={text} change={setText} />
    </FormDialog>
  );
}
