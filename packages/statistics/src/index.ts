export { betaInc } from './beta-inc.ts';
export { betaMixtureLogE, betaMixtureSequence } from './beta-mixture.ts';
export { betaQuantile } from './beta-quantile.ts';
export { bootstrapBca, bootstrapPercentile, bootstrapResamples } from './bootstrap.ts';
export { boundedMeanInterval } from './bounded-mean-interval.ts';
export { caseRateInterval } from './case-rate-interval.ts';
export { clopperPearsonInterval } from './clopper-pearson-interval.ts';
export { clusterInterval } from './cluster-interval.ts';
export { clusteredMeanInterval } from './clustered-mean-interval.ts';
export { cohenKappa } from './cohen-kappa.ts';
export { fisherExact } from './fisher-exact.ts';
export { fleissKappa } from './fleiss-kappa.ts';
export { gwetAC1 } from './gwet-ac1.ts';
export type { Interval } from './interval.ts';
export { isotonicRegression } from './isotonic-regression.ts';
export { jeffreysInterval } from './jeffreys-interval.ts';
export { krippendorffAlpha } from './krippendorff-alpha.ts';
export { logBeta } from './log-beta.ts';
export { logGamma } from './log-gamma.ts';
export { mcnemarExact, mcnemarMidP } from './mcnemar.ts';
export { benjaminiHochberg, holm } from './multiple-comparisons.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export { passAtK, passAtKMean, passHatK, passHatKMean } from './pass-at-k.ts';
export {
  mdePaired,
  mdeUnpaired,
  repeatsPaired,
  sampleSizePaired,
  sampleSizeRate,
  sampleSizeUnpaired,
} from './planning.ts';
export { ppiMean } from './ppi-mean.ts';
export { ppiPlusPlusMean } from './ppi-plus-plus-mean.ts';
export { createRandom } from './random.ts';
export { rateInterval } from './rate-interval.ts';
export { roganGladen } from './rogan-gladen.ts';
export { signFlipDraws } from './sign-flip-draws.ts';
export { signFlipExact } from './sign-flip-exact.ts';
export { signFlipTest } from './sign-flip-test.ts';
export { sprt } from './sprt.ts';
export { squareAndAddInterval } from './square-and-add-interval.ts';
export { studentTCdf, studentTQuantile } from './student-t.ts';
export { tInterval } from './t-interval.ts';
export { isUnknown, type Unknown } from './unknown.ts';
export { type VarianceComponents, varianceComponents } from './variance-components.ts';
export { wilcoxonSignedRankExact } from './wilcoxon-signed-rank-exact.ts';
export { wilsonEffectiveInterval } from './wilson-effective-interval.ts';
export { wilsonInterval } from './wilson-interval.ts';
export { type RepeatsOfTwoRuns, withinCasePermutation } from './within-case-permutation.ts';
