import type { RunInfo } from '@agent-criteria/results';
import { localTime, VERDICT_WORDS, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import type { RunDetail } from '../api.ts';
import { runTitle } from './compared-differences.ts';
import { formatRoute } from './route.ts';

/** One of two runs: its name or its eval sets, its time and its commit, rather than an id that says nothing. */
export function ComparedRun(props: {
  readonly id: string;
  readonly label: string;
  readonly detail: RunDetail | undefined;
  readonly isBaseline: boolean;
}) {
  const { id, label, detail, isBaseline } = props;
  return (
    <div class="compared-run">
      <p>
        <small>{label}</small>
        {isBaseline && (
          <>
            {' '}
            · <b>Baseline</b>
          </>
        )}
      </p>
      <p>
        {detail !== undefined && (
          <>
            <VerdictIcon verdict={detail.outcome?.verdict ?? detail.summary.verdict} />
            <span class="unseen">{VERDICT_WORDS[detail.outcome?.verdict ?? detail.summary.verdict]}: </span>{' '}
          </>
        )}
        <a href={formatRoute({ view: 'run', run: id })}>
          <bdi>{detail === undefined ? visible(id) : visible(runTitle(detail))}</bdi>
        </a>
      </p>
      {detail !== undefined && (
        <p class="note">
          {localTime(detail.info.startedAt)}
          <Commit info={detail.info} />
          {detail.info.agent !== '' && <Agent detail={detail} />}
          {' · '}
          <code>{visible(id)}</code>
        </p>
      )}
    </div>
  );
}

function Agent({ detail: { app, info } }: { readonly detail: RunDetail }) {
  const names = info.variants?.map(({ name }) => name).join(', ');
  return <span title={visible(info.agent)}> · {visible(names ?? app ?? info.agent)}</span>;
}

function Commit({ info: { commit } }: { readonly info: RunInfo & { readonly commit?: RunCommit | undefined } }) {
  if (commit === undefined) return null;
  return (
    <>
      {' · '}
      <code title={visible(commit.hash)}>{visible(commit.hash.slice(0, 8))}</code>
      {commit.dirty === true && ' with changes'}
    </>
  );
}

interface RunCommit {
  readonly hash: string;
  readonly dirty?: boolean | undefined;
}

/** Lists in words how the criteria of two runs differ. */
export function CriteriaDifferences({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section class="banner not-evaluated" aria-label="What differs in the criteria">
      <p>
        <b>The criteria differ.</b> Scores of these can have changed without any change of the agent:
      </p>
      <ul>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {visible(line)}
          </li>
        ))}
      </ul>
    </section>
  );
}
