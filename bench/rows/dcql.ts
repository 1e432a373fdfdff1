import { type DcqlCredential, DcqlQuery } from 'dcql';
import { readDcqlQuery } from '../../domain/presentation/dcql/query.ts';
import { compileQuery } from '../../domain/presentation/query.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { benchPlatform } from '../support/platform.ts';

const COUNT = 20;
const numbers = Array.from({ length: COUNT }, (_, number) => number);

/** All queries differ and every credential satisfies each, so that no side can stop early. */
const ASKED = {
  credentials: numbers.map((number) => ({
    id: `query-${number}`,
    format: 'dc+sd-jwt' as const,
    meta: { vct_values: ['https://issuer.example/Diploma'] },
    multiple: true,
    claims: [
      { path: ['level'], values: [number, ...numbers] },
      { path: ['address', 'country'] },
      { path: ['courses', null, 'name'] },
    ],
  })),
};

const claimsOf = (number: number) => ({
  vct: 'https://issuer.example/Diploma',
  iss: 'did:example:issuer',
  level: number,
  given_name: 'Maria',
  address: { country: 'UT', city: 'Utopia' },
  courses: [
    { name: 'Logic', points: 6 },
    { name: 'Optics', points: number },
  ],
});

/** 20 credentials matched with a query of 20 credential queries, which is read and compiled each time. */
export async function dcql(): Promise<Line[]> {
  const ports = await benchPlatform();
  const format = 'dc+sd-jwt' as const;
  const type = 'https://issuer.example/Diploma';
  const issuer = { kind: 'did', id: 'did:example:issuer' } as const;
  const held = numbers.map((number) => {
    const claims = claimsOf(number);
    return { format, type, issuer, claims, document: claims };
  });
  const theirHeld = numbers.map((number): DcqlCredential => {
    return { credential_format: format, vct: type, cryptographic_holder_binding: true, claims: claimsOf(number) };
  });
  const requireAll = (found: number): void => {
    if (found !== COUNT * COUNT) throw new Error(`${found} matches`);
  };
  const ours = async () => {
    const query = await compileQuery({ language: 'dcql', query: readDcqlQuery(ASKED, ports.formats) }, ports);
    const matches = query.match([{ credentials: held }], []);
    if (!query.isSatisfied(matches)) throw new Error('Not satisfied');
    requireAll(matches.reduce((sum, { credentials }) => sum + credentials.length, 0));
  };
  const theirs = () => {
    const query = DcqlQuery.parse(ASKED as DcqlQuery.Input);
    DcqlQuery.validate(query);
    const { can_be_satisfied: isSatisfied, credential_matches: matches } = DcqlQuery.query(query, theirHeld);
    if (!isSatisfied) throw new Error('Not satisfied');
    requireAll(Object.values(matches).reduce((sum, { valid_credentials: valid }) => sum + (valid?.length ?? 0), 0));
  };
  const rates = await interleave({ ours: repeat(ours), theirs: repeat(theirs) });
  const beside = { work: `${COUNT} DCQL queries × ${COUNT} credentials`, named: 'dcql', goal: { atLeast: 10 } };
  return [compared(beside, rates.ours, rates.theirs)];
}
