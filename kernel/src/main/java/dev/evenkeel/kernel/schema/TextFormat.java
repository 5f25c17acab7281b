package dev.evenkeel.kernel.schema;

/** Forms that strings of the API take. */
public enum TextFormat {
  /** Lower case, digits and {@code -}, at most 63. */
  DNS_LABEL,
  /** DNS labels joined by dots, at most 253. */
  DNS_SUBDOMAIN,
  /** A DNS label that begins with a letter. */
  DNS_1035_LABEL,
  /** The key of a label: a name, with a DNS subdomain and a slash before it if it is not ours. */
  QUALIFIED_NAME,
  /** What a label may be set to. */
  LABEL_VALUE,
  /** The name of a port: lower case, digits and {@code -}, at least one letter, at most 15. */
  PORT_NAME,
  /** A name of an environment variable. */
  ENVIRONMENT_NAME,
  /** A key in the data of a config map or secret. */
  DATA_KEY,
  /** An IPv4 or IPv6 address. */
  IP_ADDRESS
}
