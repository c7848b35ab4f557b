import { formatted } from './format.ts';
import { mapSchemas } from './map-schemas.ts';
import { modelSchemas } from './models.ts';
import { printTypes } from './print-types.ts';

/** Returns the text of every file that is generated from the models, keyed by its path in this package. */
export function generatedFiles(): Record<string, string> {
  // Descriptions are not needed at run time.
  const models = mapSchemas(modelSchemas(), ({ description: _, ...schema }) => schema);
  const texts = {
    'src/data/models.json': JSON.stringify(models, null, 2),
    'src/data/model.ts': printTypes(),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([file, text]) => [file, formatted(`packages/formats/${file}`, text)]),
  );
}
