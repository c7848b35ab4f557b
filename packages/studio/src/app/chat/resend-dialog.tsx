import { count, visible } from '@agent-criteria/viewer/views';
import type { Resending } from '../../api.ts';
import { Confirm } from '../dialog.tsx';

/** Asks before resending messages, because that costs money and repeats what tools do. */
export function ResendDialog(props: {
  readonly why: string;
  readonly resending: Resending;
  run(): void;
  close(): void;
}) {
  const { why, resending, run, close } = props;
  const { messages, modelCalls, tokens, tools } = resending;
  const earlier = messages === 1 ? 'the earlier message' : `the ${messages} earlier messages`;
  const costs = [
    ...(modelCalls === null ? [] : [count(modelCalls, 'model call')]),
    ...(tokens === null ? [] : [`${tokens.toLocaleString('en-GB')} tokens`]),
  ];
  return (
    <Confirm
      title="Send earlier messages again?"
      deed={`Send ${count(messages + 1, 'message')}`}
      run={run}
      close={close}
    >
      <p dir="auto">{why}</p>
      <p>
        A new session would begin with the same state, and {earlier} would be sent again before yours. The answers may
        differ, and this session stays as it is.
      </p>
      <p>
        {costs.length === 0
          ? 'The agent does not say what that costs: expect as many model calls as the first time.'
          : `The first time, that took ${costs.join(' and ')}; expect as much again.`}
      </p>
      {tools.length > 0 && (
        <>
          <p>
            <b>Tools run again, with all that they do.</b> The first time, the agent called:
          </p>
          <ul class="resent-tools">
            {tools.map(({ name, calls }) => (
              <li key={name}>
                <code>{visible(name)}</code> {count(calls, 'time')}
              </li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  );
}
