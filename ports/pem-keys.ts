/** Converts keys between PEM (RFC 7468) and JWK. */
export interface PemKeys {
  /** Returns the private JWK of an unencrypted PEM. @throws DomainError `BadRequest` when it is not one private key */
  parse(pem: string): Record<string, unknown>;
  /** Returns a private JWK as PKCS #8, a public one as SubjectPublicKeyInfo. @throws Error for members that are not a valid key */
  create(jwk: Record<string, unknown>): string;
}
