import { count, VerdictIcon, visible } from '@agent-criteria/viewer/views';
import type { ImportChoices, ShownConversation, ShownImport } from '../../api.ts';
import type { ImportDraft } from './use-import.ts';

const TEXTS = { json: 'JSON', jsonl: 'JSON Lines', yaml: 'YAML', csv: 'CSV' } as const;

/** Shows how a file was read: its format, what is in it, its mistakes, its first conversations, and what would be lost. */
export function ImportPreviewed(props: {
  readonly preview: ShownImport;
  readonly choices: ImportChoices;
  readonly draft: ImportDraft;
}) {
  const { preview, choices, draft } = props;
  const { files, conversations, turns, calls, labels, leftOut, losses, first, problems, canLeaveOut } = preview;
  const [file] = files;
  const format = choices.formats.find(({ id }) => id === file?.format)?.name;
  const left = [
    [leftOut.filtered, 'without the text'],
    [leftOut.duplicates, 'in which the user says the same as in an earlier one'],
    [leftOut.notSampled, 'not drawn'],
  ] as const;
  return (
    <>
      {file !== undefined && (
        <p class="import-format">
          {format}, {TEXTS[file.text]}
          {draft.reading.as === undefined && <span class="note"> · recognised by the content</span>}
        </p>
      )}
      {file !== undefined && (
        <dl class="import-counts">
          <Count number={conversations} one="conversation" />
          <Count number={turns} one="turn" />
          <Count number={calls} one="tool call" />
          {labels.pass + labels.fail > 0 && (
            <div>
              <dt>labels</dt>
              <dd>
                <VerdictIcon verdict="passed" /> {labels.pass.toLocaleString('en')}
                <span class="unseen"> pass</span> <VerdictIcon verdict="failed" /> {labels.fail.toLocaleString('en')}
                <span class="unseen"> fail</span>
              </dd>
            </div>
          )}
        </dl>
      )}
      {left.map(([number, why]) =>
        number === 0 ? null : (
          <p key={why} class="note">
            Left out: {count(number, 'conversation')} {why}
          </p>
        ),
      )}
      {draft.problem !== undefined && (
        <p class="banner error" role="alert" dir="auto">
          {draft.problem}
        </p>
      )}
      {problems.length > 0 && (
        <section class="banner error" role="alert" aria-label="Mistakes in the file">
          <p>
            <b>
              {file === undefined
                ? 'This file cannot be read.'
                : problems.length === 1
                  ? 'There is a mistake, so nothing can be made of the file yet.'
                  : `There are ${problems.length} mistakes, so nothing can be made of the file yet.`}
            </b>{' '}
            {canLeaveOut
              ? 'Correct the file and choose it again, or leave out what cannot be read.'
              : file !== undefined && 'Correct how it is read, or choose another file.'}
          </p>
          <ul>
            {problems.map((problem) => (
              <li key={problem} dir="auto">
                {problem}
              </li>
            ))}
          </ul>
        </section>
      )}
      {first.length > 0 && (
        <section aria-labelledby="first-conversations">
          <h3 id="first-conversations">
            {first.length === conversations
              ? 'Its conversations'
              : `The first ${first.length} of ${count(conversations, 'conversation')}`}
          </h3>
          <ol class="import-conversations">
            {first.map((one) => (
              <li key={`${one.where} ${one.id}`}>
                <Conversation one={one} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {preview.criteria.length > 0 && (
        <p class="banner informational">
          The file also has {count(preview.criteria.length, 'check')}. Their criteria belong in a config, which{' '}
          <code>npx agent-criteria import FILE --cases SET.evalset.json</code> writes.
        </p>
      )}
      {losses.length > 0 && (
        <section aria-labelledby="losses">
          <h3 id="losses">Not taken over</h3>
          <ul class="import-losses">
            {losses.map(({ what, count: number, example }) => (
              <li key={what} dir="auto">
                {number.toLocaleString('en')} × {visible(what)} <small>first: {visible(example)}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Count({ number, one }: { readonly number: number; readonly one: string }) {
  return (
    <div>
      <dt>{number === 1 ? one : `${one}s`}</dt>
      <dd>{number.toLocaleString('en')}</dd>
    </div>
  );
}

function Conversation({ one: { id, where, label, turns, moreTurns } }: { readonly one: ShownConversation }) {
  return (
    <>
      <p class="import-conversation-head">
        {id !== null && (
          <b>
            <bdi>{visible(id)}</bdi>
          </b>
        )}
        <small>{visible(where)}</small>
        {label !== null && (
          <span class={`badge ${label === 'pass' ? 'passed' : 'failed'}`}>
            <VerdictIcon verdict={label === 'pass' ? 'passed' : 'failed'} /> {label}
          </span>
        )}
      </p>
      <dl class="import-turns">
        {turns.flatMap(({ user, calls, answer }, at) => [
          <Said key={`user ${at}`} who="User" text={user} />,
          ...calls.map(({ name, args }, place) => (
            <Said key={`call ${at} ${place}`} who="Call" mono text={`${name} ${JSON.stringify(args ?? {})}`} />
          )),
          ...(answer === '' ? [] : [<Said key={`answer ${at}`} who="Answer" text={answer} />]),
        ])}
      </dl>
      {moreTurns > 0 && <p class="note">and {count(moreTurns, 'more turn', 'more turns')}</p>}
    </>
  );
}

function Said(props: { readonly who: string; readonly text: string; readonly mono?: boolean }) {
  const { who, text, mono = false } = props;
  return (
    <div>
      <dt>{who}</dt>
      <dd class={mono ? 'mono' : undefined} dir="auto">
        {visible(text)}
      </dd>
    </div>
  );
}
