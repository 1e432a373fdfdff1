import { randomBytes } from 'node:crypto';

/** One token. */
interface FakeToken {
  token: string;
  /** When it ends, in milliseconds since the epoch. */
  until: number;
  renewable: boolean;
}

/** The tokens of a fake Vault: those of logins with AppRole, and those that a test gives away. */
export class FakeVaultTokens {
  readonly role: Readonly<{ roleId: string; secretId: string }>;
  readonly #tokens = new Map<string, FakeToken>();
  /** Seconds that a token of a login lives. */
  seconds: number;
  /** Whether tokens of logins can be renewed. */
  renewable = true;

  constructor(
    private readonly parts: { now: () => number; seconds: number; role: { roleId: string; secretId: string } },
  ) {
    this.role = parts.role;
    this.seconds = parts.seconds;
  }

  /** A token that can be used, and what is said of it. */
  issue(seconds = this.seconds, renewable = this.renewable): string {
    const token = `hvs.${randomBytes(18).toString('base64url')}`;
    this.#tokens.set(token, { token, until: this.parts.now() + seconds * 1000, renewable });
    return token;
  }

  isGood(token: string | undefined): boolean {
    const known = this.#tokens.get(token ?? '');
    return known !== undefined && this.parts.now() < known.until;
  }

  /** Undefined for a wrong role or secret. */
  login({ role_id, secret_id }: Record<string, unknown>): Record<string, unknown> | undefined {
    const { roleId, secretId } = this.role;
    if (role_id !== roleId || secret_id !== secretId) return undefined;
    return this.#auth(this.issue(), this.seconds);
  }

  /** Undefined for a token that cannot be renewed. */
  renew(token: string): Record<string, unknown> | undefined {
    const known = this.#tokens.get(token);
    if (!known?.renewable) return undefined;
    known.until = this.parts.now() + this.seconds * 1000;
    return this.#auth(token, this.seconds);
  }

  /** Ends all tokens. */
  revoke(): void {
    this.#tokens.clear();
  }

  #auth(token: string, seconds: number): Record<string, unknown> {
    const { renewable = false } = this.#tokens.get(token) ?? {};
    const said = { accessor: 'accessor', policies: ['credenza'], token_type: 'service' };
    return { auth: { ...said, client_token: token, lease_duration: seconds, renewable } };
  }
}
