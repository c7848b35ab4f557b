import { visible } from '@agent-criteria/viewer/views';
import { useState } from 'preact/hooks';
import type { CodeState } from '../api.ts';
import { addressOf } from './api-client.ts';
import { useEvents } from './use-events.ts';

/** Says which files of an agent have changed, and why its code on disk does not load. */
export function CodeNotice(props: {
  readonly app: string;
  /** When the code that is shown here began to run, in milliseconds since the epoch; `null` if nothing ran yet. */
  readonly since: number | null;
  /** The next thing to run the new code, such as "the next message". */
  readonly next: string;
}) {
  const { app, since, next } = props;
  const [code, setCode] = useState<CodeState | null>(null);
  useEvents<CodeState>(addressOf('GET /apps/:app/code', { app }), setCode);
  const isNew = code?.at != null && since !== null && code.at > since;
  return (
    // Always there, so that screen readers announce a change of its text.
    <div class="code-notice" role="status">
      {code !== null && code.problem !== null && (
        <div class="banner error">
          <b>The agent on disk does not load.</b> {sentence(next)} fails until it is repaired.
          <pre dir="auto">{visible(code.problem)}</pre>
        </div>
      )}
      {code !== null && code.problem === null && isNew && (
        <p class="note">
          <bdi>{names(code.changed)}</bdi> changed: {next} runs the new code.
        </p>
      )}
    </div>
  );
}

/** The most files that are named. */
const MOST = 3;

function names(files: readonly string[]): string {
  const shown = files.slice(0, MOST).map(visible).join(', ');
  return files.length > MOST ? `${shown} and ${files.length - MOST} more` : shown;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
