import { type CaseCriteriaBuilder, openCaseCriteria } from '../criteria/open-case-criteria.ts';
import { type Fields, objectIn } from '../fields.ts';
import type { Reading } from '../reading.ts';
import { addAssertions } from './assertions.ts';
import type { FileReferences } from './file-references.ts';

/** Converts the assertions of a test to criteria, with its variables filled in. */
export async function criteriaOfTest(
  test: Fields,
  vars: Fields,
  files: FileReferences,
  lose: (what: string) => void,
  { rubricIds, conversions, options }: Reading,
): Promise<ReturnType<CaseCriteriaBuilder['build']>> {
  const builder = openCaseCriteria(rubricIds);
  const { provider } = objectIn(test.options);
  const hasPrices = options.hasPrices === true;
  await addAssertions(test.assert, { vars, provider, files, to: builder, lose, conversions, hasPrices });
  return builder.build();
}
