import type { JsonSchemas } from '../../../ports/json-schema.ts';
import type { Log } from '../../../ports/log.ts';
import { DomainError, oauthError, reasonOf } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { AttributeSource } from '../attribute-source.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { ActiveSession } from '../sessions/issuance-session.ts';
import { claimAt, keyOfLogin, type LoginValue } from '../sessions/login-claims.ts';
import type { AttributeTables } from './attribute-tables.ts';
import { type AttributeQuery, askServer, type HttpSourceParts, type SourceAnswer } from './http-source.ts';

/** Seconds after which a wallet may ask again when a source failed. */
const RETRY_SECONDS = 5;

/** Asks the sources of profiles for attributes when a credential is made. Nothing of an answer is kept. */
export class Attributes {
  constructor(
    private readonly parts: HttpSourceParts & {
      schemas: Pick<JsonSchemas, 'compile'>;
      tables: Pick<AttributeTables, 'find'>;
      log: Log;
    },
  ) {}

  /**
   * The attributes for a credential of a session; none when its profile has no source.
   * @throws DomainError `Busy` when the source failed, and with the code `issuance_pending` when it says later;
   * `credential_request_denied` when it does not know the person
   */
  async values(
    { profiles, target }: Pick<CredentialIssuer, 'profiles' | 'target'>,
    session: ActiveSession,
    credentialConfigurationId: string,
  ): Promise<LoginValue[]> {
    const { id: sessionId, managed, loginValues } = session;
    if (!managed?.hasSource) return [];
    const { profileId } = managed;
    const source = profiles?.get(profileId)?.source;
    const key = source?.keyClaim === undefined ? managed.file?.reference : keyOfLogin(loginValues);
    if (!source || key === undefined) throw denied('The profile of the offer has its attributes from elsewhere now');
    const answer = await this.#ask({ source, target }, { key, sessionId, profileId, credentialConfigurationId });
    if (answer.kind === 'unknown') throw denied('The source of the attributes has nothing about the person');
    if (answer.kind === 'later') throw later(answer.seconds);
    return valuesOf(source, answer.attributes);
  }

  async #ask({ source, target }: SourceOf, query: AttributeQuery): Promise<SourceAnswer> {
    try {
      const answer = await (source.url === undefined
        ? this.parts.tables.find({ target }, source.table, query.key)
        : askServer(source, query, this.parts));
      if (answer.kind === 'attributes') await this.#check(source, answer.attributes);
      return answer;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { sessionId: session, profileId: profile } = query;
      this.parts.log.warn('an attribute source failed', { session, profile, reason: reasonOf(error) });
      throw failed(error);
    }
  }

  /** @throws DomainError naming what is wrong, without a value */
  async #check({ schema, claims }: AttributeSource, attributes: JsonObject): Promise<void> {
    const missing = claims.find(({ from }) => claimAt(from, attributes) === undefined);
    if (!schema && missing) throw unfit(`${missing.from.join('.')} is missing`);
    const [violation] = schema ? (await this.parts.schemas.compile(schema))(attributes) : [];
    if (violation) throw unfit(`${violation.path} ${violation.message}`);
  }
}

/** A source, and the issuer whose tables it reads. */
interface SourceOf extends Pick<CredentialIssuer, 'target'> {
  source: AttributeSource;
}

const valuesOf = ({ claims }: AttributeSource, attributes: JsonObject): LoginValue[] =>
  claims.flatMap(({ from, to }) => {
    const value = claimAt(from, attributes);
    return value === undefined ? [] : [{ to, value }];
  });

const unfit = (why: string) => new DomainError('UpstreamFailed', `The answer of the source does not fit: ${why}`);

/** The offer stays good: the person may be known later. */
const denied = (why: string) => oauthError('credential_request_denied', why);

const later = (retryAfterSeconds: number) =>
  new DomainError('Busy', 'The attributes are not known yet; ask again later', {
    retryAfterSeconds,
    oauthError: 'issuance_pending',
  });

const failed = (cause: DomainError) =>
  new DomainError('Busy', 'The attributes cannot be fetched now; ask again later', {
    cause,
    retryAfterSeconds: RETRY_SECONDS,
  });
