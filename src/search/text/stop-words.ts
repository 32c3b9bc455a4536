import { stems } from '../../store/text/words.js';

/**
 * English words that say little by themselves. Rarity covers most of that, but questions consist of such words, and
 * other questions would look like answers to them. Names and dates spelled like one (May, Will, US) are left out.
 */
const listed = `
  a an the this that these those there here and or but if so than then too very just not no
  of to in on at by for with from as about into over under again out up down off
  i you he she it we they me him her them my your his its our their
  is are was were be been am do does did doing have has had having can could would shall should might must
  what which who whom whose when where why how
  s t d ll m re ve don didn doesn isn aren wasn weren won`;

const known: ReadonlySet<string> = new Set(stems(listed));

const share = 0.5;

export function stopWordWeight(stem: string): number {
  return known.has(stem) ? share : 1;
}
