import type { FormatFacts } from '../credentials/formats/facts.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import { at, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { type DcqlQuery, readDcqlQuery } from '../presentation/dcql/query.ts';
import { outlineOf, readOwnDefinition } from '../verifier/requests/requested-credentials.ts';
import type { SignInFlow, WrittenLoginProfile } from './written-sign-in.ts';

/** What a profile asks for, as far as its claims depend on it. */
export interface AskedCredentials {
  /** The format of each query by its id; undefined where it may be of several. */
  formats: ReadonlyMap<string, Pick<FormatFacts, 'name' | 'claimNames'> | undefined>;
  /** Whether every query names the issuers that it accepts. */
  namesIssuers: boolean;
}

/** A language of profiles. */
interface ProfileLanguage {
  /** @throws DomainError `BadRequest` naming the part of it */
  read(written: JsonObject, formats: CredentialFormats): AskedCredentials;
  /** What wallets of the language cannot do. */
  lacks: { flow?: SignInFlow; haip?: boolean };
}

/** The languages of profiles by their members; add a row to add one. */
const LANGUAGES = {
  dcqlQuery: {
    read: (written, formats) => {
      const query = readDcqlQuery(written, formats);
      at(['credentials'], () => checkBinding(query));
      return {
        formats: new Map(query.credentials.map(({ id, format }) => [id, formats.known(format)])),
        namesIssuers: query.credentials.every(({ trustedAuthorities }) => trustedAuthorities !== undefined),
      };
    },
    lacks: {},
  },
  presentationDefinition: {
    read: (written, formats) => {
      const definition = readOwnDefinition({ presentationDefinition: written, id: 'sign-in', formats });
      outlineOf(definition, formats);
      return { formats: new Map(definition.input_descriptors.map(({ id }) => [id, undefined])), namesIssuers: false };
    },
    lacks: { flow: 'dc_api', haip: true },
  },
} as const satisfies Record<string, ProfileLanguage>;

type Language = keyof typeof LANGUAGES;

/**
 * Reads what a profile asks for, in one language.
 * @throws DomainError `BadRequest` naming the part of it, or what wallets of the language cannot do
 */
export function readAsked(profile: WrittenLoginProfile, formats: CredentialFormats): AskedCredentials {
  const [name, ...more] = (Object.keys(LANGUAGES) as Language[]).filter((one) => profile[one] !== undefined);
  if (name === undefined || more.length > 0)
    throw invalidField(more.slice(0, 1), `must have one of ${Object.keys(LANGUAGES).join(' and ')}`);
  const { read, lacks }: ProfileLanguage = LANGUAGES[name];
  const flow = lacks.flow === undefined ? -1 : profile.flows.indexOf(lacks.flow);
  if (flow >= 0) throw invalidField(['flows', flow], `does not go with ${name}`);
  if (lacks.haip && profile.haip) throw invalidField(['haip'], `does not go with ${name}`);
  return at([name], () => read(profile[name] ?? {}, formats));
}

/** The person who signs in proves to be the holder. */
function checkBinding({ credentials }: DcqlQuery): void {
  const unbound = credentials.findIndex(({ holderBinding }) => !holderBinding);
  if (unbound >= 0)
    throw invalidField([unbound, 'require_cryptographic_holder_binding'], 'must be true: the holder signs in');
}
