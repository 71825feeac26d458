package org.robber.cli.replicate;

import java.nio.file.Path;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;

/**
 * What the user wants looked at; the same on every node.
 *
 * @param destination where the copies are, as it was written when they were made, with placeholders
 * @param repair whether nodes whose copy is damaged shall get from the others what it lacks
 * @param stateFolder where it is kept what copies consist of
 * @param format how rank 0 prints what was found
 */
public record VerifyRequest(String destination, boolean repair, Path stateFolder, OutputFormat format) {}
