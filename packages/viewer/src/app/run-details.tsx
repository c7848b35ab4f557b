import type { PageIndex } from '../page-data.ts';
import { visible } from './format.ts';
import { Prose } from './long-text.tsx';

/** The criteria, configuration and versions of the run. */
export function RunDetails({ index: { sets, info, summary, outcome } }: { readonly index: PageIndex }) {
  const exitCode = outcome === undefined ? summary.exitCode : outcome.exitCode;
  return (
    <details class="run-details">
      <summary>Criteria, configuration, versions</summary>
      {sets.map((set) => (
        <section key={set.id}>
          <h2>
            <bdi>{visible(set.name ?? set.id)}</bdi>
          </h2>
          {set.description !== undefined && <Prose text={set.description} />}
          <p>
            Judged by {set.configFile === null ? 'a config that is not a file' : <code>{visible(set.configFile)}</code>}
          </p>
          <ul class="criteria-list">
            {set.criteria.map((criterion) => (
              <li key={criterion.name}>
                <b>{visible(criterion.name)}</b>{' '}
                {criterion.threshold === null
                  ? 'only measures'
                  : `${criterion.range.better === 'higher' ? 'at least' : 'at most'} ${criterion.threshold}`}
                {criterion.minCoverage < 1 && `, coverage at least ${criterion.minCoverage * 100} %`}
                {criterion.whenNotApplicable === 'skip' && ', skipped where it does not apply'}
                <Prose text={criterion.description} />
                <code class="block">{visible(JSON.stringify(criterion.written) ?? '')}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p>
        {exitCode !== null && `Exit code ${exitCode}. `}
        {Object.entries(info.packages).map(([name, version]) => (
          <code key={name} class="version">
            {visible(`${name} ${version}`)}
          </code>
        ))}
      </p>
    </details>
  );
}
