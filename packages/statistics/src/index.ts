export { betaInc } from './beta-inc.ts';
export { betaMixtureLogE, betaMixtureSequence, type Mixture, type Passed } from './beta-mixture.ts';
export { betaQuantile } from './beta-quantile.ts';
export {
  type BcaInterval,
  type BootstrapInterval,
  bootstrapBca,
  bootstrapPercentile,
  bootstrapResamples,
  type Resampled,
  type Statistic,
} from './bootstrap.ts';
export { boundedMeanInterval } from './bounded-mean-interval.ts';
export { type CaseRates, caseRateInterval } from './case-rate-interval.ts';
export type { Category } from './categories.ts';
export { clopperPearsonInterval } from './clopper-pearson-interval.ts';
export { type ClusterInterval, clusterInterval } from './cluster-interval.ts';
export { clusteredMeanInterval } from './clustered-mean-interval.ts';
export { cohenKappa, type Kappa, type TwoRaters } from './cohen-kappa.ts';
export { type Alternative, fisherExact, type Table } from './fisher-exact.ts';
export { fleissKappa } from './fleiss-kappa.ts';
export { type AC1, gwetAC1 } from './gwet-ac1.ts';
export type { Interval, MeanInterval } from './interval.ts';
export { isotonicRegression } from './isotonic-regression.ts';
export { jeffreysInterval } from './jeffreys-interval.ts';
export { krippendorffAlpha, type Metric } from './krippendorff-alpha.ts';
export { logBeta } from './log-beta.ts';
export { logGamma } from './log-gamma.ts';
export { mcnemarExact, mcnemarMidP } from './mcnemar.ts';
export { benjaminiHochberg, holm } from './multiple-comparisons.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export { type CaseRuns, passAtK, passAtKMean, passHatK, passHatKMean } from './pass-at-k.ts';
export {
  mdePaired,
  mdeUnpaired,
  type PairedVariance,
  repeatsPaired,
  type SampleSize,
  sampleSizePaired,
  sampleSizeRate,
  sampleSizeUnpaired,
  type UnpairedVariance,
} from './planning.ts';
export { type Labelled, type PpiInterval, ppiMean } from './ppi-mean.ts';
export { type PpiPlusPlusInterval, ppiPlusPlusMean } from './ppi-plus-plus-mean.ts';
export { ppiPlusPlusMeanCrossFit } from './ppi-plus-plus-mean-cross-fit.ts';
export { createRandom, type Random } from './random.ts';
export { rateInterval } from './rate-interval.ts';
export { type JudgedAndLabelled, type RoganGladen, roganGladen } from './rogan-gladen.ts';
export { type Draws, signFlipDraws } from './sign-flip-draws.ts';
export { type SignFlip, signFlipExact } from './sign-flip-exact.ts';
export { signFlipTest } from './sign-flip-test.ts';
export { type SprtPlan, type SprtResult, sprt } from './sprt.ts';
export { type EstimatedRate, type FunctionInterval, squareAndAddInterval } from './square-and-add-interval.ts';
export { studentTCdf, studentTQuantile } from './student-t.ts';
export { type TInterval, tInterval } from './t-interval.ts';
export { isUnknown, type Unknown } from './unknown.ts';
export { type VarianceComponents, varianceComponents } from './variance-components.ts';
export { type WilcoxonSignedRank, wilcoxonSignedRankExact } from './wilcoxon-signed-rank-exact.ts';
export { wilsonClusterInterval } from './wilson-cluster-interval.ts';
export { type EffectiveInterval, wilsonEffectiveInterval } from './wilson-effective-interval.ts';
export { wilsonInterval } from './wilson-interval.ts';
export {
  type RepeatsOfTwoRuns,
  type WithinCasePermutation,
  withinCasePermutation,
} from './within-case-permutation.ts';
