"""Purchase histories: reading, masking, attacking and scoring them."""
