import type {
  KeySources,
  SignatureCheck,
  SignatureRefusal,
  SignedStatement,
  StatementFormat,
  StatusReference,
} from '../../ports/credential-formats.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';

/** A credential or status list whose signature is its issuer's. */
interface IssuedStatement {
  claims: JsonObject;
  status: readonly StatusReference[];
  issuer: string;
}

const REFUSALS: Record<SignatureRefusal, string> = {
  'no-signer': "the issuer's key cannot be found",
  'other-did': "the key is another issuer's",
  signature: "the signature is not its issuer's",
  'certificate-period': 'it was signed before or after the certificate of its signer was valid',
  digest: 'a digest in the signature is not that of what is shown',
};

/** Verifies credentials and status lists in one format, trusting only the keys of the issuer's DID. */
export class IssuedStatements {
  readonly #statements: StatementFormat;
  readonly #keys: KeySources;

  constructor({ statements, dids, issuers }: KeySources & { statements: StatementFormat }) {
    this.#statements = statements;
    this.#keys = { dids, issuers };
  }

  /**
   * @throws DomainError `BadRequest` when the text is not of the format, `StatusVerification` when its signature is not
   * its issuer's, `UpstreamFailed` or `UpstreamTimeout` when the issuer's keys cannot be fetched; `name` begins the message
   */
  async verify(text: string, name: string): Promise<IssuedStatement> {
    const statement = this.#statements.parseStatement(text, name);
    const issuer = issuerOf(statement, name);
    await this.check(statement, name);
    return { claims: statement.claims, status: statement.status, issuer };
  }

  /** @throws DomainError `StatusVerification` when the signature is not that of the issuer, and as `verify` */
  async check(statement: Pick<SignedStatement, 'verifyIssuer'>, name: string): Promise<void> {
    const check = await this.#check(statement, name);
    if (!check.valid) throw new DomainError('StatusVerification', `${name}: ${REFUSALS[check.refusal]}`);
  }

  async #check(statement: Pick<SignedStatement, 'verifyIssuer'>, name: string): Promise<SignatureCheck> {
    try {
      return await statement.verifyIssuer(this.#keys);
    } catch (cause) {
      if (!isDomainError(cause, 'BadRequest') && !isDomainError(cause, 'AddressRefused')) throw cause;
      throw new DomainError('StatusVerification', `${name}: ${REFUSALS['no-signer']}`, { cause });
    }
  }
}

/** The one issuer that a statement names; one that contradicts itself has none. */
function issuerOf(statement: SignedStatement, name: string): string {
  try {
    const issuer = statement.readIssuer();
    if (issuer !== undefined) return issuer;
  } catch (cause) {
    if (!isDomainError(cause, 'BadRequest')) throw cause;
    throw new DomainError('StatusVerification', `${name}: ${cause.message}`, { cause });
  }
  throw new DomainError('StatusVerification', `${name}: it names no issuer`);
}
