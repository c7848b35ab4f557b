import { collectSamples, type Sample } from '@agent-criteria/judge';

/** How many samples are asked for, when the judge would say this, sample by sample. */
async function asked(opinions: string): Promise<number> {
  const ask = async (index: number): Promise<Sample> => {
    const opinion = { positive: opinions[index] === 'y', label: opinions[index] ?? '' };
    return { model: 'any', opinions: new Map([['answer', opinion]]) };
  };
  return (await collectSamples(opinions.length, ['answer'], ask)).length;
}
console.log(await asked('yyyyy'), await asked('nnnnn')); // 3 3
console.log(await asked('yyyny'), await asked('ynyyy')); // 3 4
console.log(await asked('ynyyn'), await asked('nyyny')); // 4 5
console.log(await asked('yyn'), await asked('y')); // 2 1
