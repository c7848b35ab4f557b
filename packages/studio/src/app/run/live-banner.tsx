import { formatTime, visible } from '@agent-criteria/viewer/views';
import type { RunState } from '../../api.ts';
import { ask } from '../api-client.ts';
import { Button } from '../button.tsx';
import { complain } from '../toasts.tsx';
import type { LiveRun } from './use-live-run.ts';

/** Actions on a run that is not finished: cancel or stop it, or resume it. */
export function LiveBanner(props: {
  readonly run: string;
  readonly state: RunState;
  /** Whether criteria have scored it, or were to. */
  readonly isJudged: boolean;
  readonly live: LiveRun;
  reload(): Promise<void>;
}) {
  const { run, state, isJudged, live } = props;
  if (state === 'here') return <Cancel live={live} />;
  if (state === 'elsewhere') {
    return (
      <div class="live">
        <span>Another process works on this run: it can only be watched here.</span>
      </div>
    );
  }
  if (state === 'open' && !isJudged) {
    return (
      <div class="live">
        <span>
          Nothing has been scored yet. With criteria in a config:{' '}
          <code>npx agent-criteria score {visible(run)} --config-file-path test_config.json</code>
        </span>
      </div>
    );
  }
  if (state === 'open') {
    const resume = async () => {
      try {
        await ask('POST /runs/:run/resume', { run });
        await props.reload();
      } catch (error) {
        complain(error);
      }
    };
    return (
      <div class="live">
        <span>
          Unfinished. Here, or with <code>npx agent-criteria resume {visible(run)}</code>:
        </span>
        <Button text="Resume" class="main" onClick={() => void resume()} />
      </div>
    );
  }
  return null;
}

/** Cancels a run: first what has not begun, then, on a second press, what is in flight. */
function Cancel({ live }: { readonly live: LiveRun }) {
  const { cancelled, running = 0, turnTimeout = null } = live.page?.progress ?? {};
  const inFlight = running === 1 ? '1 case in flight comes' : `${running ?? 0} cases in flight come`;
  return (
    <div class="live">
      {/* Always there, so that screen readers announce a change of its text. */}
      <span role="status">
        {cancelled === 'finishing' &&
          `Cancelled: nothing new begins, and ${inFlight} to an end. ${
            turnTimeout === null ? '' : `A turn may take up to ${formatTime(turnTimeout).replace(/ 0 (s|min)$/, '')}.`
          }`}
        {cancelled === 'stopping' && 'Stopping what is in flight…'}
      </span>
      {cancelled === undefined ? (
        <Button text="Cancel" onClick={live.cancel} />
      ) : (
        <Button text="Stop now" disabled={cancelled === 'stopping'} onClick={live.stop} />
      )}
    </div>
  );
}
